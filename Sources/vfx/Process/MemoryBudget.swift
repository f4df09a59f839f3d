internal import FrameCore
internal import Foundation
internal import Pipeline

/// The memory that this process may take where it is limited, and whether a job can do with it.
struct MemoryBudget {
    /// What a job takes besides pictures, in bytes: code, threads' stacks, tables.
    private static let program = 320 << 20
    /// Pictures that a decoder keeps, and those of an encoder that looks least far ahead.
    private static let decoded = 6, encoded = 10

    /// Bytes; nil without a limit.
    let allowed: Int?
    /// Whether the limit counts addresses (`ulimit -v`) and so the program's code too.
    private let countsAddresses: Bool

    /// Limits above this leave an encoder as it is: it is the small machine that needs one that takes less.
    private static let small = 3 << 29

    /// The limit that an encoder's settings must keep; nil for none.
    var forEncoders: Int? { allowed.flatMap { $0 <= Self.small ? $0 : nil } }

    /// The limit on this process and on its control groups, whichever is lowest.
    init() {
        let addresses = AddressSpaceLimit.bytes, group = Self.groupLimit
        countsAddresses = addresses.map { $0 <= group ?? .max } ?? false
        allowed = countsAddresses ? addresses : group
    }

    /// - Parameters:
    ///   - frames: bytes of the frames that the job's stages hold.
    ///   - source: what is decoded.
    ///   - result: what is encoded.
    ///   - file: the input's name for errors.
    /// - Throws: `FrameError` with the bytes that are needed when there are fewer.
    func check(
        frames: Int, source: VideoStreamDescription, result: VideoStreamDescription, file: String
    ) throws(FrameError) {
        guard let allowed else { return }
        let needed =
            frames + Self.decoded * source.bytesPerFrame + Self.encoded * result.bytesPerFrame
            + (countsAddresses ? Self.program : 0)
        guard needed > allowed else { return }
        throw FrameError(
            .allocation,
            "\(source.width)x\(source.height) pictures need at least \(needed) bytes of memory here, and \(allowed) are allowed",
            at: .init(file: file))
    }

    private static var groupLimit: Int? {
        func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
        return ControlGroups.memoryLimit(groups: text("/proc/self/cgroup") ?? "", read: text)
    }
}
