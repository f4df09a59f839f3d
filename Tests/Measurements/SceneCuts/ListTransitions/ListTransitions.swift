// Reads a y4m stream from stdin and prints one line for each pair of consecutive frames: index, kind, confidence and
// features, then the terms of the cut score in the order of `PairContext.scoreTerms`.
import Dispatch
import Foundation
import FrameCore
import Motion

/// Buffered standard input. Swift 6 does not allow the use of the C library's `stdin`, so this reads file descriptor 0.
struct Input {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    var (position, end) = (0, 0)

    mutating func fill() -> Bool {
        position = 0
        end = max(0, read(0, &bytes, bytes.count))
        return end > 0
    }

    mutating func line() -> String? {
        var text: [UInt8] = []
        while position < end || fill() {
            let byte = bytes[position]
            position += 1
            if byte == 10 { return String(decoding: text, as: UTF8.self) }
            text.append(byte)
        }
        return nil
    }

    mutating func copy(to memory: UnsafeMutableRawPointer, _ count: Int) -> Bool {
        var done = 0
        while done < count {
            guard position < end || fill() else { return false }
            let part = min(count - done, end - position)
            bytes.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(start: memory + done, count: part).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[position..<position + part]))
            }
            done += part
            position += part
        }
        return true
    }
}

func read(_ input: inout Input, into buffer: inout PixelBuffer) throws -> Bool {
    let format = buffer.format
    return try buffer.withOverwrittenPlanes { planes in
        for plane in 0..<planes.count {
            let p = planes[plane]
            for y in 0..<p.height {
                if !input.copy(to: p.row(y), p.width * format.bytesPerSample) { return false }
            }
        }
        return true
    }
}

@main struct ListTransitions {
    static func main() throws {
        var input = Input()
        guard let header = input.line(), header.hasPrefix("YUV4MPEG2") else {
            print("not a y4m stream")
            exit(1)
        }
        var (width, height, colour) = (0, 0, "420")
        for word in header.split(separator: " ") {
            let value = String(word.dropFirst())
            switch word.first {
            case "W": width = Int(value) ?? 0
            case "H": height = Int(value) ?? 0
            case "C": colour = value
            default: break
            }
        }
        let subsampling: ChromaSubsampling =
            colour.hasPrefix("mono")
            ? .monochrome : colour.hasPrefix("422") ? .yuv422 : colour.hasPrefix("444") ? .yuv444 : .yuv420
        let depth =
            colour.hasPrefix("mono")
            ? Int(colour.dropFirst(4)) : colour.split(separator: "p").dropFirst().last.flatMap { Int($0) }
        let format = try PixelFormat(subsampling: subsampling, bitDepth: depth ?? 8)
        var detector = SceneCutDetector()
        var (signing, detecting, frames) = (0.0, 0.0, 0)
        func show(_ transitions: [Transition]) {
            for t in transitions {
                let f = t.features
                print(
                    t.index, t.isFlash ? "flash" : t.kind.rawValue, t.confidence, f.mismatch, f.mismatchLow,
                    f.histogramDistance,
                    f.difference, f.duplicateDifference, f.residual, f.usualResidual, f.usualMismatch,
                    f.scoreTerms.map { "\($0)" }.joined(separator: " "))
            }
        }
        while let line = input.line(), line.hasPrefix("FRAME") {
            var buffer = try PixelBuffer(format: format, width: width, height: height)
            guard try read(&input, into: &buffer) else { break }
            let start = DispatchTime.now().uptimeNanoseconds
            let signature = FrameSignature(buffer)
            let middle = DispatchTime.now().uptimeNanoseconds
            let transitions = detector.append(signature)
            let end = DispatchTime.now().uptimeNanoseconds
            signing += Double(middle - start) / 1e6
            detecting += Double(end - middle) / 1e6
            frames += 1
            show(transitions)
        }
        show(detector.finish())
        if CommandLine.arguments.contains("--time") {
            FileHandle.standardError.write(
                Data(
                    "\(width)x\(height) \(frames) frames: signature \(signing / Double(max(1, frames))) ms, detector \(detecting / Double(max(1, frames))) ms\n"
                        .utf8))
        }
    }

}
