import CLibAV
public import FrameCore

/// Reads the frames of one video stream of a file, a pipe or a URL, in presentation order.
///
/// Frames borrow the decoder's memory when their planes allow it. Times are those that a player shows: they begin at
/// zero with the first frame, or with the sound if that begins a second or more earlier, and edit lists are applied.
/// Where the container has rounded the times of a constant frame rate, they are those of the rate. Missing or
/// non-ascending times are repaired, and the repair is recorded in ``damage``. The reader holds back one decoded frame,
/// since a frame's duration is the distance to its successor, unless ``MediaReaderOptions/lowLatency`` is set.
///
/// `@unchecked Sendable`: `FrameSource` promises calls from one thread at a time. State that a
/// ``MediaSourceDescription`` shares with a writer on another thread is protected by locks.
public final class MediaReader: SeekableFrameSource, ResumableFrameSource, @unchecked Sendable {
    /// The path or URL that was passed to ``init(_:options:)``.
    public let input: String
    /// The files of a numbered image sequence, in order; empty for any other input.
    public let pictures: [String]
    /// Whether the frames come from other files or URLs that are not listed in ``pictures``: those that a playlist
    /// names, or files that match a pattern such as `g%*.png`.
    package let readsOtherFiles: Bool
    /// Properties of the video stream that is read, or of the part of it after ``restrict(to:)``.
    public internal(set) var stream: VideoStreamDescription
    /// The part to which the clip is restricted; nil for the whole clip.
    var part: LocatedPart?
    /// Properties of the container and of all its streams.
    public let info: MediaInfo
    /// What has been lost or repaired so far.
    public private(set) var damage = DamageReport()
    /// One sentence for each property assumed because the input does not state it, for each conversion, for metadata of images
    /// that cannot be read, and for each repair of timestamps.
    public var notes: [Note] {
        assumptions + importer.notes + demuxer.embedded.notes + damage.repairs.map { Note("times-repaired", $0) }
    }
    /// Whether an ICC profile describes the samples.
    package var hasColorProfile: Bool { stream.colorProfile != nil }
    /// EXIF and other metadata of an image file, or of the first image of a sequence; empty for a video.
    public var imageMetadata: StillMetadata { demuxer.embedded.metadata }

    let demuxer: Demuxer
    /// How the container's timestamps become times.
    let clipClock: ClipClock
    /// Timestamp discontinuities found so far, for the writer that remuxes the other streams.
    let discontinuities = TimestampDiscontinuities()
    /// Presentation time of the first frame.
    package var start: MediaTime { clipClock.start }
    /// The time from the beginning of the earliest stream, where a player's clock starts, to the first frame.
    package var pictureDelay: MediaTime { clipClock.delay }
    /// The time from the beginning of the earliest stream to the end of the longest, as the container states it; nil if
    /// unknown, or if the timestamps jump, so that it means nothing.
    package var playingTime: MediaTime? {
        let isEstimated = demuxer.context.pointer.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
        return isEstimated || clock.counts || discontinuities.state.count > 1 ? nil : info.duration
    }
    let options: MediaReaderOptions
    private let decoder: VideoDecoder
    private var importer: PictureImporter
    private var clock: MonotonicTimestamps
    private let lastFrame: LastFrameDuration
    private var assumptions: [Note] = []
    /// The side data of the first frame.
    let firstSideData: SideData
    /// The Dolby Vision configuration of the stream; nil for other video.
    let dolbyVision: DolbyVision?
    /// The next frame to return; its duration is the one that the stream states, nil if unknown.
    private var held: Frame?
    /// The frame after ``held`` if it has been decoded early; nil otherwise.
    private var ahead: Result<Frame?, FrameError>?
    private var failure: FrameError?
    /// Whether a live input has ended.
    private var hasEnded = false
    /// The time of the latest frame of a live input that was returned.
    private var latestReturned: MediaTime?
    private var previousStep: MediaTime?
    /// Whether all frames so far have been at the constant rate that ``clipClock`` knows.
    private var isOnGrid = true
    /// The timestamp of the first frame known not to be at that rate; nil if there is none.
    private var firstOffGrid: Int64?
    /// The time of the latest decoded frame; nil after a seek.
    private var latest: MediaTime?
    /// Whether damage since the last keyframe may still be visible.
    private var showsDamage = false
    /// The container's timestamp of ``held``, the place of its packet and the state of ``clock`` before it; nil if the
    /// frame has no timestamp.
    private var heldPlace: (stamp: Int64, offset: Int64, clock: SourcePosition.Clock)?
    /// The spans of ``discontinuities`` before ``held``.
    private var heldSpans: [SourcePosition.Span] = []
    /// Whether the decoder has logged the loss of parts of a frame.
    private var hasLostParts = false

    /// Opens `input` and decodes its first frame.
    ///
    /// - Parameters:
    ///   - input: a path, `-` for standard input, or a URL that libavformat can open.
    ///   - options: how it is opened and read.
    /// - Throws: `FrameError` when there is no readable video.
    public convenience init(_ input: String, options: MediaReaderOptions = MediaReaderOptions()) throws(FrameError) {
        try self.init(OpenedInput(input, options: options), options: options)
    }

    init(_ opened: OpenedInput, options: MediaReaderOptions) throws(FrameError) {
        input = opened.input
        pictures = opened.pictures
        readsOtherFiles = opened.readsOtherFiles
        self.options = options
        let demuxer = try Demuxer(opened, options: options)
        self.demuxer = demuxer
        var info = MediaInfo(opened, videoStream: demuxer.videoIndex)
        decoder = try VideoDecoder(demuxer, options: options)

        let opening = try StreamTiming.opening(
            of: demuxer, isLive: options.lowLatency && !demuxer.isReopenable)
        var losses = DamageReport()
        let box = try Self.decodeFirst(decoder, demuxer, &losses)
        damage = losses
        let first = box.pointer.pointee
        let location = FrameError.Location(file: input, stream: demuxer.videoIndex)
        var importer = demuxer.importer(options)
        if importer.target(of: first)?.hasAlpha == true, !demuxer.mayBeTransparent(first, options) {
            demuxer.isOpaque = true
            importer = demuxer.importer(options)
        }
        guard let format = importer.target(of: first) else {
            throw FrameError(
                .unsupportedFormat, "frames in pixel format number \(first.format) cannot be read", at: location)
        }
        let timing = StreamTiming(demuxer, decoder, inputFrameRate: options.inputFrameRate, opening: opening)
        assumptions = [opened.note].compactMap(\.self).map { Note("assumed", $0) } + timing.notes
        dolbyVision = DolbyVision(demuxer.video, box.pointer, hasMessages: decoder.hasDolbyVision)
        // VP8 and VP9 store alpha beside the frames, where their decoders do not look.
        if demuxer.announcesAlpha, !format.hasAlpha {
            assumptions.append(.loss("alpha-dropped", "the alpha channel is left out"))
        }
        if options.ignoresDolbyVision {
            assumptions += [dolbyVision?.noteOnIgnoring].compactMap(\.self)
        } else {
            try dolbyVision?.requireBaseLayer(at: location)
        }
        clipClock = ClipClock(
            stampBase: timing.base, first: timing.counts ? 0 : known(first.best_effort_timestamp) ?? 0,
            fileStart: timing.counts ? nil : demuxer.fileStart, grid: opening.grid)
        clock = MonotonicTimestamps(
            base: timing.base, nominalTicks: timing.nominalTicks, counts: timing.counts,
            allowsDiscontinuities: demuxer.allowsDiscontinuities && !options.keyFramesOnly)
        lastFrame = LastFrameDuration(demuxer.video, formatName: demuxer.formatName)
        var firstFrame = try Self.frame(box, &importer, demuxer, options)
        decoder.addMessages(to: &firstFrame, box.pointer)
        firstSideData = firstFrame.sideData
        stream = VideoStreamDescription(
            format: format, width: Int(first.width), height: Int(first.height), timeBase: clipClock.base,
            nominalFrameRate: timing.rate,
            frameCount: demuxer.video.pointee.nb_frames > 0 ? Int(demuxer.video.pointee.nb_frames) : nil,
            duration: timing.duration ?? info.duration, color: firstFrame.color,
            sampleAspectRatio: firstFrame.sampleAspectRatio,
            displayMatrix: StreamSideData.displayMatrix(demuxer.video) ?? SideData.displayMatrix(of: box.pointer)
                ?? demuxer.embedded.orientation.displayMatrix(width: Int(first.width), height: Int(first.height)),
            sideData: StreamSideData.read(demuxer.video, firstFrame: firstFrame.sideData))
        info.streams[demuxer.videoIndex].video?.complete(first, firstFrame, stream.sideData, dolbyVision)
        let origin = clipClock.origin
        info.chapters = info.chapters.map { $0.moved(by: .zero - origin) }
        self.info = info
        self.importer = importer
        held = schedule(firstFrame, box)
        if options.isStrict, let note = damage.notes.first { throw strictError(note) }
    }

    /// Returns the next frame in presentation order, or nil after the last.
    ///
    /// - Throws: `FrameError` on damage in strict mode.
    ///   All frames decoded before the error are returned first.
    public func nextFrame() throws -> Frame? {
        if isLive { return try nextLiveFrame() }
        guard var current = held else {
            if let failure { throw failure }
            return nil
        }
        do throws(FrameError) {
            held = if let ahead { try ahead.get() } else { try decodeNext() }
            ahead = nil
        } catch {
            held = nil
            failure = error
        }
        if let next = held {
            current.duration = next.presentationTime - current.presentationTime
            previousStep = current.duration
        } else {
            let length = lastFrame.duration(
                start: current.presentationTime + clipClock.origin, own: current.duration, base: clock.base,
                previous: previousStep, nominal: clock.nominalTicks, isWhole: damage == DamageReport() && failure == nil
            )
            current.duration = isOnGrid ? clipClock.exactDuration(length) : length
            // The last keyframe represents all frames after it.
            if options.keyFramesOnly, !clock.counts, let end = demuxer.endOfPackets {
                let rest = clipClock.plainTime(of: end) - current.presentationTime
                current.duration = max(rest, length)
            }
        }
        return current
    }

    /// Whether frames are returned as soon as they are decoded.
    private var isLive: Bool { options.lowLatency && !demuxer.isReopenable }

    /// Returns the next frame as soon as it is decoded.
    private func nextLiveFrame() throws(FrameError) -> Frame? {
        if let failure { throw failure }
        guard !hasEnded else { return nil }
        let next: Frame?
        do throws(FrameError) {
            next = if let held { held } else if let ahead { try ahead.get() } else { try decodeNext() }
            if held == nil { ahead = nil }
            held = nil
        } catch {
            failure = error
            throw error
        }
        guard var current = next else {
            hasEnded = true
            return nil
        }
        if let latestReturned { previousStep = current.presentationTime - latestReturned }
        latestReturned = current.presentationTime
        let length = lastFrame.duration(
            start: current.presentationTime + clipClock.origin, own: current.duration, base: clock.base,
            previous: previousStep, nominal: clock.nominalTicks, isWhole: false)
        current.duration = isOnGrid ? clipClock.exactDuration(length) : length
        return current
    }

    /// The number of frames by which the decoder delays its output to reorder them.
    var reorderDelay: Int { decoder.reorderDelay }

    /// Whether times are frame numbers, because the input has no timestamps.
    var countsFrames: Bool { clock.counts }

    /// Whether the input can be opened again and then returns the same bytes: a file, or a URL whose content does not
    /// change.
    public var isReopenable: Bool { demuxer.isReopenable }

    /// Size of the input in bytes; nil when unknown.
    public var byteCount: Int64? { demuxer.context.byteCount }

    /// Whether ``seek(to:)`` works: the input must be reopenable and have timestamps.
    public var isSeekable: Bool {
        // libavformat cannot seek in a single image.
        let isSingleImage = demuxer.isPictureFormat && pictures.isEmpty
        return demuxer.isReopenable && !clock.counts && demuxer.auxiliaryPackets == nil && !isSingleImage
    }

    /// Whether the input is coded video without a container.
    var isElementaryStream: Bool { demuxer.isElementaryStream }

    public func seek(to time: MediaTime) throws {
        let location = FrameError.Location(file: input, stream: demuxer.videoIndex, time: time)
        guard isSeekable else {
            throw FrameError(.input, "the input is not seekable", at: location)
        }
        // Without an index, seeking may lead to any packet, and the next keyframe may come after the wanted time.
        for retreat in [0, 2, 10, 60] {
            let earlier = MediaTime(value: Int64(retreat), timescale: 1)
            if try goOn(at: time - earlier), let held, held.presentationTime <= time { return }
        }
        _ = try goOn(at: nil)
        guard held != nil else { throw FrameError(.decode, "no frame can be decoded after this time", at: location) }
    }

    /// Seeks to `time`, nil meaning the start, and decodes the first frame there; returns false when there is none.
    private func goOn(at time: MediaTime?) throws(FrameError) -> Bool {
        try demuxer.seek(to: time.map(clipClock.stamp(notAfter:)), time: time)
        decoder.flush()
        clock = MonotonicTimestamps(
            base: clock.base, nominalTicks: clock.nominalTicks, counts: false,
            allowsDiscontinuities: clock.allowsDiscontinuities)
        discontinuities.removeAll()
        (held, ahead, failure, previousStep) = (nil, nil, nil, nil)
        (isOnGrid, latest) = (true, nil)
        // Packets that cannot be decoded because the keyframe before them was skipped are not damaged.
        let before = damage
        showsDamage = false
        held = try decodeNext()
        damage = before
        _ = decoder.takeLossOfParts()
        return held != nil
    }

    /// The spans between discontinuities of the timestamps so far.
    package var timestampSpans: [SourcePosition.Span] { discontinuities.state }

    /// Takes over spans that an earlier reader has found, for a writer that remuxes the other streams.
    package func assume(_ spans: [SourcePosition.Span]) { discontinuities.restore(spans) }

    /// The position of the next frame. nil if the input cannot be opened again, has no timestamps, or has lost anything
    /// before the frame: frames after a loss depend on what the decoder made of it.
    public var position: SourcePosition? {
        hasLostParts = decoder.takeLossOfParts() || hasLostParts
        guard isSeekable, !options.keyFramesOnly, ahead == nil, held != nil, let place = heldPlace, damage.isEmpty,
            !showsDamage, !hasLostParts, place.offset >= 0,
            let key = decoder.key(for: place.stamp, at: place.offset)
        else { return nil }
        return SourcePosition(
            key: key, stamp: place.stamp, offset: place.offset, clock: place.clock, previousStep: previousStep,
            reorderDelay: decoder.reorderDelay, notes: damage.repairs, spans: heldSpans)
    }

    public func resume(at position: SourcePosition) throws -> Bool {
        guard isSeekable, try demuxer.seek(to: position.key) else { return false }
        decoder.flush()
        clock.restore(position.clock)
        (isOnGrid, latest) = (position.clock.isOffGrid != true, nil)
        discontinuities.restore(position.spans)
        (held, ahead, failure, showsDamage) = (nil, nil, nil, false)
        damage = DamageReport()
        for note in position.notes { damage.note(repair: note) }
        _ = decoder.takeLossOfParts()
        held = try decode(to: position)
        previousStep = position.previousStep
        return held != nil
    }

    /// Decodes frames until the one at `position`, and returns it; nil if it does not come or is damaged.
    private func decode(to position: SourcePosition) throws(FrameError) -> Frame? {
        for _ in 0..<Self.mostFramesAfterKey {
            switch try decoder.next() {
            case .end: return nil
            // Frames from before the keyframe may refer to frames that were not read.
            case .lost: continue
            case .frame(let box):
                let picture = box.pointer.pointee
                guard known(picture.best_effort_timestamp) == position.stamp,
                    vfx_frame_place(box.pointer) == position.offset
                else { continue }
                guard importer.target(of: picture) == stream.format,
                    Int(picture.width) == stream.width, Int(picture.height) == stream.height,
                    vfx_frame_is_corrupt(box.pointer) == 0, decoder.reorderDelay == position.reorderDelay
                else { return nil }
                var frame = try Self.frame(box, &importer, demuxer, options)
                decoder.addMessages(to: &frame, box.pointer)
                return schedule(frame, box)
            }
        }
        return nil
    }

    /// The largest number of frames decoded to reach a position.
    private static let mostFramesAfterKey = 10_000

    /// Whether the input is a single image in an image format such as PNG, as opposed to a video with one frame.
    ///
    /// Call before reading the first frame; this decodes the second one, if any.
    package func holdsStillPicture() -> Bool {
        guard demuxer.isPictureFormat, held != nil else { return false }
        let next =
            ahead
            ?? Result { () throws(FrameError) in
                try decodeNext()
            }
        ahead = next
        guard case .success(nil) = next else { return false }
        return true
    }

    private static func decodeFirst(
        _ decoder: VideoDecoder, _ demuxer: Demuxer, _ damage: inout DamageReport
    ) throws(FrameError) -> FrameHandle {
        while true {
            switch try decoder.next() {
            case .frame(let box): return box
            case .lost(let error): damage.lose(error)
            case .end:
                let location = FrameError.Location(file: demuxer.input, stream: demuxer.videoIndex)
                if let reason = demuxer.unreadableAnimation {
                    throw FrameError(.unsupportedFormat, reason, at: location)
                }
                let reason =
                    demuxer.packetCount == 0
                    ? demuxer.isMovFromPipe ? UnreadableInput.pipe : "the video stream contains no frames"
                    : "none of the video stream's \(demuxer.packetCount) packets can be decoded"
                throw FrameError(.decode, reason, at: location, cause: decoder.interruption)
            }
        }
    }

    private func decodeNext() throws(FrameError) -> Frame? {
        while true {
            switch try decoder.next() {
            case .frame(let box):
                let picture = box.pointer.pointee
                let format = importer.target(of: picture)
                guard format == stream.format, Int(picture.width) == stream.width, Int(picture.height) == stream.height
                else {
                    try requireSameAlpha(format, known(picture.best_effort_timestamp))
                    try endAtChange(picture, format)
                    return nil
                }
                var frame = try Self.frame(box, &importer, demuxer, options)
                decoder.addMessages(to: &frame, box.pointer)
                return try reportingDamage { schedule(frame, box) }
            case .lost(let error):
                showsDamage = true
                try reportingDamage { damage.lose(error) }
            case .end:
                try reportingDamage { noteEnding() }
                return nil
            }
        }
    }

    static func frame(
        _ box: FrameHandle, _ importer: inout PictureImporter, _ demuxer: Demuxer, _ options: MediaReaderOptions
    ) throws(FrameError) -> Frame {
        let picture = box.pointer.pointee
        var color = ColorDescription(frame: picture)
        let buffer = try importer.buffer(from: box, color: &color)
        let aspect = av_guess_sample_aspect_ratio(demuxer.context.pointer, demuxer.video, box.pointer)
        var sideData = SideData(frame: picture)
        demuxer.embedded.complete(&color, &sideData)
        return Frame(
            buffer: buffer, presentationTime: .zero, color: color, sampleAspectRatio: Rational(aspect)?.reduced,
            fieldOrder: options.ignoresFieldMarks ? nil : FieldOrder(box.pointer, in: demuxer.video),
            sideData: sideData)
    }

    private func schedule(_ frame: Frame, _ box: FrameHandle) -> Frame {
        // The durations that libavformat invents for streams without timestamps are in another time base.
        let own = clock.counts ? 1 : max(0, known(vfx_frame_duration(box.pointer)) ?? 0)
        let stamp = known(box.pointer.pointee.best_effort_timestamp)
        var state = clock.state
        if !isOnGrid { state.isOffGrid = true }
        heldPlace = stamp.map { ($0, vfx_frame_place(box.pointer), state) }
        heldSpans = discontinuities.state
        let (ticks, repair) = clock.next(stamp: stamp, duration: own)
        if let stamp, !clock.counts {
            discontinuities.append(
                clipClock.plainTime(of: stamp), shift: MediaTime(ticks: clock.shift, base: clock.base),
                isDiscontinuity: repair == .discontinuity)
        }
        if vfx_frame_is_key(box.pointer) != 0 { showsDamage = false }
        if vfx_frame_is_corrupt(box.pointer) != 0 {
            showsDamage = true
            damage.note(Self.damagedPictures)
        }
        switch repair {
        case .none, .derived: break
        case .moved: damage.note(repair: Self.movedTimes)
        case .discontinuity: damage.note(repair: Self.jumpingTimes)
        }
        var frame = frame
        if let firstOffGrid, ticks >= firstOffGrid { isOnGrid = false }
        var time = clipClock.time(of: ticks, after: state.last, isOnGrid: &isOnGrid)
        if !isOnGrid { firstOffGrid = min(firstOffGrid ?? ticks, ticks) }
        // The container's times take over right after an exact one.
        if let latest, time <= latest { time = latest + MediaTime(ticks: 1, base: clipClock.base) }
        latest = time
        frame.presentationTime = time
        frame.duration = own > 0 ? MediaTime(ticks: own, base: clock.base) : nil
        frame.isDamaged = showsDamage
        return frame
    }

    /// - Throws: `FrameError` if only some of numbered images have alpha: none of them may go missing.
    ///
    /// - Parameters:
    ///   - format: that of an image.
    ///   - stamp: its number, counted from 0.
    private func requireSameAlpha(_ format: PixelFormat?, _ stamp: Int64?) throws(FrameError) {
        guard let format, format.hasAlpha != stream.format.hasAlpha, !pictures.isEmpty else { return }
        let file = stamp.flatMap { pictures.indices.contains(Int($0)) ? pictures[Int($0)] : nil } ?? input
        throw FrameError(
            .input,
            "this image has \(format.hasAlpha ? "an" : "no") alpha channel and the images before it have \(format.hasAlpha ? "none" : "one"); give one to all of them or to none",
            at: .init(file: file))
    }

    /// Ends the stream when the frame size or pixel format changes, since no effect can mix the two.
    private func endAtChange(_ picture: AVFrame, _ format: PixelFormat?) throws(FrameError) {
        let to = format.map(\.description) ?? "an unknown pixel format"
        let sentence =
            "the frame format changes from \(stream.width)x\(stream.height) \(stream.format) to "
            + "\(picture.width)x\(picture.height) \(to)"
        let time = known(picture.best_effort_timestamp).map { clipClock.plainTime(of: $0) }
        if options.isStrict {
            throw FrameError(.input, sentence, at: .init(file: input, stream: demuxer.videoIndex, time: time))
        }
        damage.lostUnits += 1 + decoder.countLost()
        damage.note(sentence + (time.map { " at \($0) s" } ?? "") + "; what follows is left out")
    }

    private static let movedTimes = "some timestamps run backwards and were moved after the previous frame"
    private static let jumpingTimes = "the timestamps jump within the stream and were made continuous"
    private static let damagedPictures = "some frames are damaged and were only partly decoded"

    private func noteEnding() {
        if decoder.interruption != nil, let (header, frames) = demuxer.followingStream() {
            damage.lostUnits += frames
            damage.note(
                "another y4m header follows, of \(header.width)x\(header.height) frames; what follows it is left out")
        } else if let error = decoder.interruption {
            damage.note("reading stopped before the end (\(error))")
        } else if let sentence = demuxer.missingPart() {
            damage.note(sentence)
        }
        if hasLostParts || decoder.takeLossOfParts() { damage.note(Self.damagedPictures) }
    }

    private func reportingDamage<R>(_ body: () -> R) throws(FrameError) -> R {
        let before = damage
        let result = body()
        if options.isStrict, damage.notes != before.notes || damage.lostUnits != before.lostUnits {
            let new = damage.notes.first { !before.notes.contains($0) }
            throw strictError(new ?? damage.notes.last ?? "the stream is damaged")
        }
        return result
    }

    private func strictError(_ note: String) -> FrameError {
        FrameError(.decode, note, at: .init(file: input, stream: demuxer.videoIndex))
    }
}

extension DamageReport {
    fileprivate mutating func lose(_ error: LibAVError) {
        lostUnits += 1
        note("some packets could not be decoded (\(error))")
    }
}
