internal import FrameCore

/// A least-recently-used cache of pictures by key, limited by count and by bytes.
struct PictureCache {
    let countLimit: Int
    let byteLimit: Int
    private(set) var byteCount = 0
    private var entries: [String: Entry] = [:]
    private var clock: UInt64 = 0

    private struct Entry {
        var picture: StillPicture
        var bytes: Int
        var used: UInt64
    }

    init(countLimit: Int, byteLimit: Int) {
        self.countLimit = max(0, countLimit)
        self.byteLimit = max(0, byteLimit)
    }

    var count: Int { entries.count }

    mutating func picture(_ key: String) -> StillPicture? {
        guard let found = entries[key] else { return nil }
        clock += 1
        entries[key]?.used = clock
        return found.picture
    }

    mutating func store(_ picture: StillPicture, as key: String) {
        remove(key)
        let bytes = Self.bytes(of: picture)
        guard bytes <= byteLimit, countLimit > 0 else { return }
        while entries.count >= countLimit || byteCount + bytes > byteLimit {
            guard let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key else { break }
            remove(oldest)
        }
        clock += 1
        entries[key] = Entry(picture: picture, bytes: bytes, used: clock)
        byteCount += bytes
    }

    mutating func removeAll() {
        entries = [:]
        byteCount = 0
    }

    private mutating func remove(_ key: String) {
        if let old = entries.removeValue(forKey: key) { byteCount -= old.bytes }
    }

    /// The size of a picture's samples in bytes, including row padding.
    static func bytes(of picture: StillPicture) -> Int {
        func bytes(_ buffer: PixelBuffer) -> Int {
            buffer.withPlanes { planes in
                (0..<planes.count).map { abs(planes[$0].stride) * planes[$0].height }.reduce(0, +)
            }
        }
        return bytes(picture.frame.buffer) + (picture.alpha.map(bytes) ?? 0)
    }
}
