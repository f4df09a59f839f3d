internal import Dispatch
public import FrameCore
internal import Imaging

/// A loaded thumbnail track, which returns the thumbnail for any time.
///
/// Tracks are WebVTT files, grid descriptions (JSON) or BIF files, given by path or `http:` address. With a cache
/// folder, loading stores the track and all its images on disk, where they remain available when the network is not.
public final class StoryboardTrack: Sendable {
    /// The longest gap between two cues that counts as part of the earlier one; some tools end cues at .999.
    private static let bridgedGap = MediaTime(value: 1, timescale: 1000)
    /// The largest track file that is read, in bytes.
    private static let maximumTrackBytes = 64 << 20
    /// The largest image that is read, in bytes.
    static let maximumImageBytes = 256 << 20
    private static let keptImages = 2

    /// The path or address of the track.
    public let address: String
    private let content: Content
    private let files: TrackFiles
    private let decoder: any StillDecoder
    /// The most recently used images, decoded.
    private let decoded = Lock<[(name: String, picture: StillPicture)]>([])

    private enum Content {
        case cues([ThumbnailCue])
        case grid(ThumbnailGrid)
        case frames(BaseIndexFrames.Index, [UInt8])
    }

    /// Loads a track, detecting its kind from the content.
    ///
    /// - Parameters:
    ///   - address: a path, or a `file:` or `http:` address.
    ///   - bytes: reads the track and its images.
    ///   - decoder: decodes the images.
    ///   - cacheDirectory: the folder for the cache; nil disables caching.
    /// - Throws: `FrameError` when the track cannot be read or is invalid, or refers to an image that may not be read.
    public static func load(
        _ address: String, bytes: any ByteSource, decoder: any StillDecoder, cacheDirectory: String? = nil
    ) async throws -> StoryboardTrack {
        try await onOwnThread {
            try StoryboardTrack(address, bytes: bytes, decoder: decoder, cacheDirectory: cacheDirectory)
        }
    }

    /// Creates a track from a known grid.
    ///
    /// - Parameters:
    ///   - grid: the grid.
    ///   - address: the address against which relative names are resolved.
    ///   - bytes: reads the images.
    ///   - decoder: decodes the images.
    public init(grid: ThumbnailGrid, relativeTo address: String, bytes: any ByteSource, decoder: any StillDecoder) {
        self.address = address
        content = .grid(grid)
        files = TrackFiles(track: address, bytes: bytes, cache: nil)
        self.decoder = decoder
    }

    package init(
        _ address: String, bytes: any ByteSource, decoder: any StillDecoder, cacheDirectory: String? = nil
    ) throws {
        self.address = address
        self.decoder = decoder
        let path = TrackAddress.isRemote(address) ? address : TrackAddress.localPath(address)
        let cache = cacheDirectory.map { FileCache(directory: $0 + "/" + stableHash(of: address)) }
        files = TrackFiles(track: path, bytes: bytes, cache: cache)
        let data = try files.track(limit: Self.maximumTrackBytes)
        do throws(FrameError) {
            content = try Self.parse(data)
            if cache != nil { try files.keepAll(names) }
        } catch {
            var named = error
            named.location.file = named.location.file ?? address
            throw named
        }
    }

    private static func parse(_ data: [UInt8]) throws(FrameError) -> Content {
        if data.starts(with: [0x89, 0x42, 0x49, 0x46]) { return .frames(try BaseIndexFrames.Index(data), data) }
        let text = String(decoding: data, as: UTF8.self)
        if text.drop(while: \.isWhitespace).hasPrefix("{") { return .grid(try ThumbnailGrid(json: data)) }
        return .cues(try ThumbnailCue.parse(webVTT: text))
    }

    /// The names of the track's images without duplicates. A grid without a last index lists only its first image.
    public var names: [String] {
        switch content {
        case .cues(let cues):
            var seen: Set<String> = []
            return cues.map(\.image).filter { seen.insert($0).inserted }
        case .grid(let grid): return (grid.maximumIndex.map { 1...max(1, $0) } ?? 1...1).map { grid.image($0) }
        case .frames: return []
        }
    }

    /// Returns the thumbnail for a time; nil where the track has none.
    ///
    /// - Throws: `FrameError` when the image is missing, damaged, not allowed to be read, or smaller than the track
    ///   states.
    public func thumbnail(at time: MediaTime) async throws -> StoryboardThumbnail? {
        try await Self.onOwnThread { [self] in try thumbnailNow(at: time) }
    }

    package func thumbnailNow(at time: MediaTime) throws -> StoryboardThumbnail? {
        switch content {
        case .cues(let cues): return try cue(at: time, among: cues)
        case .grid(let grid): return try tile(at: time, of: grid)
        case .frames(let index, let data): return try frame(at: time, index, data)
        }
    }

    /// Removes everything that loading stored on disk.
    /// - Throws: `FrameError` when a file cannot be removed.
    public func deleteLocalCache() throws {
        decoded.withLock { $0 = [] }
        try files.deleteCache()
    }

    private func cue(at time: MediaTime, among cues: [ThumbnailCue]) throws -> StoryboardThumbnail? {
        // Find the last cue that begins at or before the time.
        var low = 0, high = cues.count
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let cue = cues[low - 1]
        let isBridged = low < cues.count && cues[low].start - cue.end <= Self.bridgedGap
        guard time < cue.end || isBridged else { return nil }
        let image = try image(cue.image)
        return StoryboardThumbnail(
            picture: try image.part(cue.part, named: cue.image, of: address), start: cue.start, end: cue.end,
            image: cue.image)
    }

    private func tile(at time: MediaTime, of grid: ThumbnailGrid) throws -> StoryboardThumbnail? {
        guard time >= .zero else { return nil }
        let number = time.ticksDown(1000) / grid.durationMilliseconds
        let perImage = Int64(grid.columns * grid.rows)
        guard number / perImage < Int64(grid.maximumIndex ?? ThumbnailGrid.indexRange.upperBound) else { return nil }
        let index = number / perImage + 1, onImage = Int(number % perImage)
        let name = grid.image(Int(index))
        let image: StillPicture
        do {
            image = try self.image(name)
        } catch  where grid.maximumIndex == nil && index > 1 {
            // Without a last index, a missing image marks the end.
            return nil
        }
        let (width, height) = (
            image.frame.buffer.width / grid.columns, image.frame.buffer.height / grid.rows
        )
        guard width > 0, height > 0 else {
            throw FrameError(
                .input,
                "the image '\(name)' of \(image.frame.buffer.width)x\(image.frame.buffer.height) is too small for \(grid.columns)x\(grid.rows) tiles",
                at: .init(file: address))
        }
        let part = ThumbnailCue.Part(
            x: onImage % grid.columns * width, y: onImage / grid.columns * height, width: width, height: height)
        let start = MediaTime(value: number * grid.durationMilliseconds, timescale: 1000)
        return StoryboardThumbnail(
            picture: try image.part(part, named: name, of: address), start: start,
            end: start + MediaTime(value: grid.durationMilliseconds, timescale: 1000), image: name)
    }

    private func frame(
        at time: MediaTime, _ index: BaseIndexFrames.Index, _ data: [UInt8]
    ) throws -> StoryboardThumbnail? {
        let milliseconds = time.ticksDown(1000)
        guard let place = index.entries.lastIndex(where: { $0.milliseconds <= milliseconds }) else { return nil }
        let entry = index.entries[place]
        let step = place > 0 ? entry.milliseconds - index.entries[place - 1].milliseconds : 1000
        let end = place + 1 < index.entries.count ? index.entries[place + 1].milliseconds : entry.milliseconds + step
        guard milliseconds < end else { return nil }
        let picture = try decoder.decode(Array(data[entry.offset..<entry.offset + entry.count]))
        return StoryboardThumbnail(
            picture: picture, start: MediaTime(value: entry.milliseconds, timescale: 1000),
            end: MediaTime(value: end, timescale: 1000), image: address)
    }

    private func image(_ name: String) throws -> StillPicture {
        if let known = decoded.withLock({ $0.first { $0.name == name }?.picture }) { return known }
        let picture: StillPicture
        do throws(FrameError) {
            picture = try decoder.decode(try files.bytes(of: name, limit: Self.maximumImageBytes))
        } catch {
            var named = error
            named.location.file = named.location.file ?? name
            throw named
        }
        decoded.withLock {
            $0.append((name, picture))
            if $0.count > Self.keptImages { $0.removeFirst() }
        }
        return picture
    }

    private static func onOwnThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}

/// The thumbnail for an interval of a video.
public struct StoryboardThumbnail: Sendable {
    /// The image to show.
    public var picture: StillPicture
    /// The start of the interval.
    public var start: MediaTime
    /// The end of the interval.
    public var end: MediaTime
    /// The path or address of the image from which the thumbnail was cut.
    public var image: String
}

extension StillPicture {
    /// Returns a region of the image as a separate picture.
    ///
    /// - Parameters:
    ///   - part: the region in pixels; nil for the whole image.
    ///   - name: the name of the image, for error messages.
    ///   - track: the track that refers to the image, for error messages.
    /// - Throws: `FrameError` when the region is not inside the image.
    func part(_ part: ThumbnailCue.Part?, named name: String, of track: String) throws(FrameError) -> StillPicture {
        guard let part else { return self }
        let buffer = frame.buffer
        guard part.x + part.width <= buffer.width, part.y + part.height <= buffer.height else {
            throw FrameError(
                .input,
                "the region \(part.width)x\(part.height) at \(part.x), \(part.y) is not inside the image '\(name)' of \(buffer.width)x\(buffer.height)",
                at: .init(file: track))
        }
        let color = frame.color.resolved(height: buffer.height)
        let resampler = try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height),
            region: PictureRegion(
                x: Double(part.x), y: Double(part.y), width: Double(part.width), height: Double(part.height)),
            color: color, to: buffer.format, width: part.width, height: part.height,
            targetLocation: color.chromaLocation)
        var cut = frame
        cut.color = color
        cut.buffer = try resampler.resampled(buffer, context: .serial)
        return StillPicture(frame: cut)
    }
}
