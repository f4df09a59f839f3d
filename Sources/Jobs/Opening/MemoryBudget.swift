internal import Foundation
package import FrameCore

/// The memory that this process may use if it is limited, and whether that suffices for a job.
package struct MemoryBudget: Sendable {
    /// The memory that a job needs in addition to frames, in bytes: code, thread stacks, tables.
    private static let program = 320 << 20
    /// The number of frames held by a decoder, and by an encoder with minimal look-ahead.
    private static let decoded = 6, encoded = 10

    /// The limit in bytes; nil if there is none.
    package let allowed: Int?
    /// Whether the limit applies to address space (`ulimit -v`), which includes the program's code.
    private let countsAddresses: Bool

    /// Up to this limit, in bytes, encoders are set up to save memory.
    private static let small = 3 << 29

    /// The limit that the encoder's settings must respect, in bytes; nil if there is none.
    package var forEncoders: Int? { allowed.flatMap { $0 <= Self.small ? $0 : nil } }

    /// Reads the limits on this process and its control groups, and uses the lowest.
    package init() {
        let addresses = ProcessMemory.addressSpaceLimit, group = Self.groupLimit
        countsAddresses = addresses.map { $0 <= group ?? .max } ?? false
        allowed = countsAddresses ? addresses : group
    }

    /// Checks that a job fits the limit.
    ///
    /// - Parameters:
    ///   - frames: size in bytes of the frames held by the job's stages.
    ///   - source: description of the decoded video.
    ///   - result: description of the video to encode.
    ///   - file: the input's name for errors.
    /// - Throws: `FrameError` with the number of bytes needed if the limit is lower.
    package func check(
        frames: Int, source: VideoStreamDescription, result: VideoStreamDescription, file: String
    ) throws(FrameError) {
        guard let allowed else { return }
        let needed =
            frames + Self.decoded * source.bytesPerFrame + Self.encoded * result.bytesPerFrame
            + (countsAddresses ? Self.program : 0)
        guard needed > allowed else { return }
        throw FrameError(
            .allocation,
            "\(source.width)x\(source.height) frames need at least \(needed) bytes of memory, but only \(allowed) are allowed",
            at: .init(file: file))
    }

    private static var groupLimit: Int? {
        func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
        return ProcessMemory.controlGroupLimit(groups: text("/proc/self/cgroup") ?? "", read: text)
    }
}
