package import FrameCore
internal import Glibc

/// Reads a track's files from the cache or from their original location.
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
        // Resolve the name before looking in the cache, so that the rules also apply to cached files.
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
                // Fall back on an older copy when the network is unavailable.
                if cache?.read(key) == nil { throw error }
            }
        }
    }

    func deleteCache() throws { try cache?.removeAll() }
}

/// Resolves references in a track and enforces which ones may be read.
///
/// A track on disk may read files in its own folder and below, after resolving symbolic links, and no other files.
/// `http:` and `https:` addresses may be read from any track. A track from the network may read only addresses. `..` is
/// refused everywhere, plain or percent-encoded.
package enum TrackAddress {
    /// Whether an address is an `http:` or `https:` address.
    package static func isRemote(_ address: String) -> Bool {
        let start = String(decoding: address.utf8.prefix(8), as: UTF8.self).lowercased().utf8
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// Returns the address that `reference` denotes in the track at `track`.
    ///
    /// - Throws: `FrameError` for a reference that may not be read.
    package static func resolve(_ reference: String, in track: String) throws(FrameError) -> String {
        func refuse(_ reason: String) -> FrameError {
            FrameError(.input, "the image '\(reference)' may not be read: \(reason)", at: .init(file: track))
        }
        guard !reference.isEmpty else { throw refuse("its name is empty") }
        guard reference.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 && $0 != "\\" }) else {
            throw refuse("its name has control characters or backslashes")
        }
        let plain = decoded(reference)
        guard plain.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 && $0 != "\\" }) else {
            throw refuse("its name has control characters or backslashes")
        }
        if climbs(plain) || climbs(decoded(plain)) {
            throw refuse("it leads out of the track's folder")
        }
        if isRemote(reference) { return reference }
        if let colon = reference.firstIndex(of: ":"), !reference[..<colon].contains("/") {
            throw refuse("only http: and https: addresses are followed")
        }
        if isRemote(track) {
            if reference.utf8.starts(with: "//".utf8) {
                return (track.lowercased().hasPrefix("https") ? "https:" : "http:") + reference
            }
            if isAbsolute(reference) { return origin(track) + reference }
            return folder(track.split(separator: "?", maxSplits: 1).first.map(String.init) ?? track) + reference
        }
        let local = localPath(track)
        let path = isAbsolute(reference) ? plain : folder(local) + plain
        guard let home = realPath(folder(local).isEmpty ? "." : folder(local)) else {
            throw refuse("the track's folder no longer exists")
        }
        // A path that does not exist cannot lead out of the folder; one that exists must be inside it.
        if let real = realPath(path) {
            guard real.utf8.starts(with: (home == "/" ? "/" : home + "/").utf8) else {
                throw refuse("it leads out of the track's folder")
            }
        } else if isAbsolute(reference) {
            throw refuse("it leads out of the track's folder")
        }
        return path
    }

    /// Returns the path of a `file:` address; other names are returned unchanged.
    package static func localPath(_ name: String) -> String {
        for prefix in ["file://", "file:"] where name.lowercased().hasPrefix(prefix) {
            return decoded(String(name.dropFirst(prefix.count)))
        }
        return name
    }

    // Paths are split by bytes, as the operating system does: a slash and a following combining mark form one
    // `Character`.

    private static func climbs(_ path: String) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }

    private static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }

    private static func folder(_ path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: path.utf8[...$0], as: UTF8.self) } ?? ""
    }

    private static func origin(_ address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        return parts.count >= 2 ? "\(parts[0])//\(parts[1])" : address
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Decodes percent-encoded bytes; invalid sequences remain as they are.
    package static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        let all = Array(text.utf8)
        var index = 0
        func digit(_ position: Int) -> UInt8? {
            all.indices.contains(position)
                ? Character(UnicodeScalar(all[position])).hexDigitValue.map { UInt8($0) } : nil
        }
        while index < all.count {
            if all[index] == UInt8(ascii: "%"), let high = digit(index + 1), let low = digit(index + 2) {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(all[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
