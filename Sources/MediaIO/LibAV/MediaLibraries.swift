import CLibAV
import Foundation
import FrameCore

/// The libav libraries that this process runs with, and the encoders that they call.
package enum MediaLibraries {
    /// Their versions, e.g. `libavformat 59.27.100, libavcodec 59.37.100`.
    package static var versions: String {
        [("libavformat", avformat_version()), ("libavcodec", avcodec_version())].map { name, version in
            "\(name) \(version >> 16).\(version >> 8 & 255).\(version & 255)"
        }.joined(separator: ", ")
    }

    /// The files of the encoders' own libraries, e.g. `libx264.so.164 2567832, libx265.so.199 …`: the names hold the
    /// versions of their interfaces, the bytes tell builds of one apart. Empty where the system does not say what is
    /// loaded.
    package static var encoders: String {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        var found: Set<String> = []
        for line in maps.split(separator: "\n") {
            guard let start = line.firstIndex(of: "/") else { continue }
            let path = String(line[start...]), name = path.split(separator: "/").last.map(String.init) ?? path
            guard encoderNames.contains(where: { name.hasPrefix("\($0).so") }), let file = LocalFile(path) else {
                continue
            }
            found.insert("\(name) \(file.size)")
        }
        return found.sorted().joined(separator: ", ")
    }

    private static let encoderNames = ["libx264", "libx265", "libvpx", "libaom", "libSvtAv1Enc"]
}
