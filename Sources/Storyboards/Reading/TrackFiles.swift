import FrameCore

/// A track's files: from the cache, or from where they lie.
struct TrackFiles: Sendable {
    let track: String
    let bytes: any ByteSource
    let cache: FileCache?

    func track(limit: Int) throws(FrameError) -> [UInt8] {
        do throws(FrameError) {
            let data = try bytes.bytes(at: track, limit: limit)
            try cache?.store(data, as: "track")
            return data
        } catch {
            if let kept = cache?.read("track") { return kept }
            throw error
        }
    }

    func bytes(of name: String, limit: Int) throws(FrameError) -> [UInt8] {
        // Asked before the cache is, so that nothing gets round the rules.
        let place = try TrackAddress.resolve(name, in: track)
        if let kept = cache?.read(stableHash(of: place)) { return kept }
        return try bytes.bytes(at: place, limit: limit)
    }

    func keepAll(_ names: [String]) throws(FrameError) {
        for name in names {
            let place = try TrackAddress.resolve(name, in: track)
            let key = stableHash(of: place)
            do throws(FrameError) {
                try cache?.store(try bytes.bytes(at: place, limit: StoryboardTrack.maximumImageBytes), as: key)
            } catch {
                // An older copy will do where the net is away.
                if cache?.read(key) == nil { throw error }
            }
        }
    }

    func deleteCache() throws { try cache?.removeAll() }
}
