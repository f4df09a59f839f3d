public import FrameCore
internal import Glibc

/// A request for one thumbnail of one video.
public struct ThumbnailRequest: Sendable, Hashable {
    /// The path or address of the video.
    public var source: String
    /// The time of the frame to show.
    public var time: MediaTime
    /// The width of the box that the thumbnail must fit, in pixels.
    public var maximumWidth: Int
    /// The height of the box that the thumbnail must fit, in pixels.
    public var maximumHeight: Int
    /// Whether to decode the exact frame; otherwise a keyframe before it is used.
    public var isExact: Bool

    /// Creates a request.
    public init(
        source: String, time: MediaTime = .zero, maximumWidth: Int = 320, maximumHeight: Int = 320,
        isExact: Bool = false
    ) {
        self.source = source
        self.time = time
        self.maximumWidth = maximumWidth
        self.maximumHeight = maximumHeight
        self.isExact = isExact
    }

    /// The cache key. A file is identified by device, inode, size and modification time, so that a changed file gets a
    /// new thumbnail; a network address is identified only by its text.
    var key: String {
        let moment = time.reduced
        let wanted = "\(moment.value)/\(moment.timescale) \(maximumWidth)x\(maximumHeight) \(isExact)"
        var status = stat()
        let path = source.hasPrefix("file://") ? String(source.dropFirst(7)) : source
        guard stat(path, &status) == 0 else { return "address \(source) \(wanted)" }
        let changed = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "file \(status.st_dev) \(status.st_ino) \(status.st_size) \(changed) \(wanted)"
    }
}

/// What a slot shows.
public enum ThumbnailDelivery: Sendable {
    /// There is no thumbnail yet.
    case placeholder
    /// The thumbnail.
    case picture(StillPicture)
    /// There is no thumbnail, for this reason.
    case failure(any Error)
}

/// Identifies the request that a delivery belongs to; each new request for a slot has a new token.
public struct ThumbnailToken: Sendable, Hashable {
    let number: UInt64
}
