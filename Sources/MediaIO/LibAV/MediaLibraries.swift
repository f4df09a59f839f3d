import CLibAV
import Foundation
import FrameCore

/// Versions of the libav libraries and external encoders that this process has loaded.
package enum MediaLibraries {
    /// Versions of the libav libraries, e.g. `libavformat 59.27.100, libavcodec 59.37.100`.
    package static var versions: String {
        [("libavformat", avformat_version()), ("libavcodec", avcodec_version())].map { name, version in
            "\(name) \(version >> 16).\(version >> 8 & 255).\(version & 255)"
        }.joined(separator: ", ")
    }

    /// File names and sizes in bytes of the external encoder libraries, e.g. `libx264.so.164 2567832, libx265.so.199
    /// …`.
    ///
    /// The names contain the interface versions, and the sizes distinguish builds of the same version. Empty when the
    /// system does not report loaded libraries.
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
