/// Measures how similar the frames of a source and of its processed version look.
enum ComparedPictures {
    /// Returns, for each source frame, the PSNR in dB of the processed frame scaled back to the source's size.
    static func psnr(of cell: WholeFileCell, _ input: String, _ output: String) throws -> [Double] {
        let isEven = cell.command == .rate || cell.command.framesPerFrame == 2
        let (width, height) = cell.size
        let made = (isEven ? "select='not(mod(n,2))'," : "") + "settb=1/25,setpts=N,scale=\(width):\(height)"
        let text = try tool(
            "ffmpeg",
            [
                "-v", "error", "-noautorotate", "-i", output, "-noautorotate", "-i", input, "-filter_complex",
                "[0:V:0]\(made)[made];[1:V:0]settb=1/25,setpts=N[source];[made][source]psnr=stats_file=-",
                "-fps_mode", "passthrough", "-f", "null", "-",
            ])
        return text.split(separator: "\n").compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("psnr_avg:") }.flatMap { Double($0.dropFirst(9)) }
        }
    }
}
