public import FrameCore
internal import Glibc

/// One thumbnail of one video.
public struct ThumbnailRequest: Sendable, Hashable {
    /// Path or address of the video.
    public var source: String
    /// The moment shown.
    public var time: MediaTime
    /// Box that the thumbnail fits.
    public var maximumWidth: Int
    /// Box that the thumbnail fits.
    public var maximumHeight: Int
    /// Whether the exact frame is decoded, or a key frame before it taken.
    public var isExact: Bool

    /// A request.
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

    /// What names the result: a file by device, inode, size and time of change, so that a changed file is another one;
    /// an address by itself.
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
    /// Nothing yet.
    case placeholder
    /// The thumbnail.
    case picture(StillPicture)
    /// None, and why.
    case failure(any Error)
}

/// Says which request a delivery belongs to; a slot that is used again has another.
public struct ThumbnailToken: Sendable, Hashable {
    let number: UInt64
}
