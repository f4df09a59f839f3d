import CLibAV
import FrameCore

/// Sets up the encoder, muxer, streams, tags and chapters of an output.
struct MediaWriterSetup {
    let format: OutputFormat
    let target: OutputTarget
    let stream: VideoStreamDescription
    let source: MediaSourceDescription?
    let retiming: Retiming
    let options: MediaWriterOptions
    let stopFlag: StopFlag
    /// The encoder's time base.
    let timeBase: Rational

    /// The objects that have been set up.
    struct Output {
        let muxer: Muxer
        let encoder: VideoEncoder
        let video: UnsafeMutablePointer<AVStream>
        /// nil when no auxiliary streams are remuxed.
        let remuxer: AuxiliaryStreamRemuxer?
        /// What is added to the times of all frames and packets.
        let shift: MediaTime
        var notes: [Note]
    }

    init(
        _ output: String, stream: VideoStreamDescription, source: MediaSourceDescription?, retiming: Retiming,
        options: MediaWriterOptions, stopFlag: StopFlag
    ) throws(FrameError) {
        format = try OutputFormat(output, named: options.format)
        target = try OutputTarget(output, input: source?.input, overwrites: options.overwrites)
        self.stream = stream
        self.source = source
        self.retiming = retiming
        self.options = options
        self.stopFlag = stopFlag
        timeBase = Self.frameTick(format, stream, source) ?? format.animation?.timeBase ?? Self.timeBase(stream)
        try format.animation?.check(stream.nominalFrameRate, at: .init(file: output))
    }

    /// Opens the output and writes its header. If the container rejects the streams, tries again with fewer of them.
    func open() throws(FrameError) -> Output {
        var output = try build(.all)
        var selection = StreamSelection.all
        do throws(FrameError) {
            try output.muxer.open()
            // The y4m header is written later: it states the frame rate, which may be known only from the second frame on.
            while !format.isY4M {
                do throws(FrameError) {
                    try output.muxer.writeHeader(headerOptions)
                    break
                } catch {
                    // These errors are not caused by the streams.
                    let cause = error.cause as? LibAVError
                    if cause?.isNoSpace == true || cause?.isBrokenPipe == true { throw error }
                    guard let less = selection.less, output.remuxer != nil else { throw error }
                    selection = less
                    let reason = "some streams were left out because \(error.message)"
                    output.muxer.close()
                    output = try build(less)
                    output.notes.append(.loss("streams-dropped", reason))
                    try output.muxer.open()
                }
            }
        } catch {
            output.muxer.close()
            target.discard()
            throw error
        }
        // Packets that no remuxer takes would accumulate until the end of the video.
        if output.remuxer?.isEmpty != false { source?.closePackets() }
        output.notes += lostTags(output.encoder)
        if let source { output.notes += output.encoder.notes(on: source.firstSideData) }
        if options.failsOnLoss, let loss = output.notes.first(where: \.isLoss) {
            output.muxer.close()
            target.discard()
            throw loss.refusal(of: target.output)
        }
        return output
    }

    /// Sets up encoder, streams and tags, in the source's stream order.
    private func build(_ selection: StreamSelection) throws(FrameError) -> Output {
        let muxer = try Muxer(format.pointer, target, lowLatency: options.lowLatency)
        let (encoder, encoderNotes) = try openEncoder(globalHeader: muxer.needsGlobalHeader)
        var video: UnsafeMutablePointer<AVStream>?
        var remuxer: AuxiliaryStreamRemuxer?
        if let source, !format.isY4M, selection != .none {
            let planner = AuxiliaryStreamPlanner(source, format, retiming, options, muxer)
            remuxer = try AuxiliaryStreamRemuxer(source, planner, selection, retiming, stopFlag) {
                () throws(FrameError) in
                video = try addVideo(encoder, to: muxer)
            }
        }
        if video == nil { video = try addVideo(encoder, to: muxer) }
        let added = try allocated(video, "an output stream")
        let lostFileTags = addTags(to: muxer)
        let shift = Self.shift(of: source, format, retiming, options, keeping: remuxer == nil ? .none : selection)
        var losses = [lostFileTags, source.flatMap { format.loss(of: $0.video) }].compactMap(\.self)
            .map { Note.loss("tags-dropped", $0) }
        if let source, !format.isY4M, try addChapters(of: source, to: muxer, shift: shift) > 0 {
            losses.append(
                .loss("chapters-dropped", "chapters that end before the first picture and sound are left out"))
        }
        return Output(
            muxer: muxer, encoder: encoder, video: added, remuxer: remuxer, shift: shift, notes: encoderNotes + losses)
    }

    /// Returns what is added to the times of all frames and packets, so that the earliest stream starts at zero or, if the
    /// options say so, where it starts in the source. A part starts with its first frame.
    ///
    /// - Parameter selection: the streams that are written beside the video.
    static func shift(
        of source: MediaSourceDescription?, _ format: OutputFormat, _ retiming: Retiming, _ options: MediaWriterOptions,
        keeping selection: StreamSelection = .all
    ) -> MediaTime {
        guard let source else { return .zero }
        if let part = source.part { return options.keepsStart ? part.start + source.origin : .zero }
        // The video begins with its first frame, whatever the container states: in AVI that is the time of decoding.
        let others = source.streams.filter { $0.index != source.video.index }
        let kept = selection == .none ? [] : others.filter { format.mayKeep($0, audio: options.audio) }
        let earliest = kept.compactMap(\.start).reduce(source.start, min)
        let shift = .zero - earliest.multiplied(by: retiming.factor)
        return options.keepsStart ? shift + earliest + source.origin : shift
    }

    /// Opens the encoder and nothing else, with the settings that it has when the output is written.
    func openEncoderOnly() throws(FrameError) -> VideoEncoder {
        try openEncoder(globalHeader: Muxer(format.pointer, target).needsGlobalHeader).0
    }

    private func openEncoder(globalHeader: Bool) throws(FrameError) -> (VideoEncoder, [Note]) {
        let location = FrameError.Location(file: target.output)
        if let animation = format.animation { return try openEncoder(of: animation, at: location) }
        let usual = options.filmGrain == nil ? format.defaultCodecs(source: source?.video.codecName) : [.av1]
        let codecs = options.codec.map { [$0] } ?? usual
        if let codec = options.codec, !format.holds(codec.codecID) {
            throw FrameError(.invalidArgument, "\(format.name) does not support \(codec.rawValue) video", at: location)
        }
        guard !codecs.isEmpty else { throw noCodec(at: location) }
        var choices: [EncoderChoice]
        do {
            choices = try EncoderChoice.ranked(
                codecs, for: stream, pixelFormat: options.pixelFormat, players: source?.isRGB == true ? format : nil,
                storesFilmGrain: options.filmGrain != nil, lowLatency: options.lowLatency)
        } catch {
            throw error.inFile(target.output)
        }
        if format.isY4M, let bare = avcodec_find_encoder_by_name("wrapped_avframe") {
            choices = choices.map { EncoderChoice(encoder: bare, pixelFormat: $0.pixelFormat, note: $0.note, cost: 0) }
        }
        var failure: FrameError?
        for choice in choices {
            do {
                let (choice, colorNotes) = try fitted(choice)
                let encoder = try VideoEncoder(
                    choice, stream: stream, timeBase: timeBase, options: options, globalHeader: globalHeader,
                    shortestTicks: format.countsFrames ? 1 : 0, keepsTimeCode: keepsTimeCode)
                let notes = [
                    choice.note.map { Note("pixels-converted", $0) }, encoder.note.map { Note("encoder-settings", $0) },
                    format.playerNote(choice, stream),
                ]
                return (encoder, notes.compactMap(\.self) + colorNotes)
            } catch {
                failure = failure ?? error
            }
        }
        let error = failure ?? FrameError(.unsupportedFormat, "there is no encoder for \(format.name)")
        throw error.inFile(target.output)
    }

    private func openEncoder(
        of animation: AnimationFormat, at location: FrameError.Location
    ) throws(FrameError) -> (VideoEncoder, [Note]) {
        if let codec = options.codec {
            throw FrameError(
                .invalidArgument,
                "\(animation.rawValue) files cannot contain \(codec.rawValue) video; leave --codec out",
                at: location)
        }
        var options = options
        if animation == .webp { options.crf = options.crf ?? Self.usualWebPCRF }
        do throws(FrameError) {
            let choice = try PictureEncoder.choice(of: animation, for: stream, options, at: location)
            let (fitted, colorNotes) = fitted(choice, shown: Self.colors(of: choice))
            let encoder = try VideoEncoder(
                fitted, stream: stream, timeBase: timeBase, options: options, globalHeader: false,
                shortestTicks: animation.shortestTicks)
            return (encoder, (choice.note.map { [Note("pixels-converted", $0)] } ?? []) + colorNotes)
        } catch {
            throw error.inFile(target.output)
        }
    }

    /// The quality of animated WebP, on the scale of `crf`, unless one is chosen.
    private static let usualWebPCRF = 10.0

    /// The colors that readers of an animated image assume.
    private static func colors(of choice: EncoderChoice) -> ColorDescription {
        ColorDescription(
            matrix: choice.demands.matrix ?? .unspecified, primaries: .bt709, transfer: .sRGB,
            range: choice.demands.range ?? .unspecified)
    }

    private func noCodec(at location: FrameError.Location) -> FrameError {
        let known = MediaWriterOptions.Codec.allCases.map(\.rawValue).joined(separator: ", ")
        return FrameError(
            .unsupportedFormat,
            "\(format.name) files are not written, since they hold no video of the codecs \(known); use .mp4, .mov, .mkv, .webm, .avi or numbered images",
            at: location)
    }

    func addVideo(
        _ encoder: VideoEncoder, to muxer: Muxer
    ) throws(FrameError) -> UnsafeMutablePointer<AVStream> {
        let added = try muxer.addStream()
        try check(
            avcodec_parameters_from_context(added.pointee.codecpar, encoder.codec.pointer), .encode,
            "the encoder's parameters cannot be read")
        if encoder.choice.leavesTag { added.pointee.codecpar.pointee.codec_tag = 0 }
        added.pointee.time_base = timeBase.av
        added.pointee.sample_aspect_ratio = encoder.codec.pointer.pointee.sample_aspect_ratio
        if let rate = stream.nominalFrameRate { added.pointee.avg_frame_rate = rate.av }
        // Apple's players accept HEVC in mp4 and mov only with the tag hvc1.
        if format.isMov, encoder.codec.pointer.pointee.codec_id == AV_CODEC_ID_HEVC {
            added.pointee.codecpar.pointee.codec_tag = 0x3163_7668
        }
        if let matrix = stream.displayMatrix, matrix.count == 9, format.isMov, matrix.contains(where: { $0 != 0 }) {
            let bytes = matrix.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
            try StreamSideData.add(bytes, AV_PKT_DATA_DISPLAYMATRIX, to: added)
        }
        for entry in stream.sideData.entries {
            try StreamSideData.add(
                entry.bytes, AVPacketSideDataType(rawValue: UInt32(bitPattern: entry.code)), to: added)
        }
        if let source {
            format.copyTags(from: source.video, to: added)
            OptionDictionary.add(timeCode(in: source.video.metadata, of: source), to: &added.pointee.metadata)
        }
        return added
    }

    /// Whether the container stores the time code of the first frame, from which those of all frames follow.
    private var keepsTimeCode: Bool {
        guard let source, format.holdsTimeCode else { return false }
        return [source.video.metadata, source.metadata].contains { !timeCode(in: $0, of: source).isEmpty }
    }

    /// Returns the time code of the first frame of the output as the tag that stores it, if the source's tags have one.
    private func timeCode(in tags: [String: String], of source: MediaSourceDescription) -> [String: String] {
        guard let (name, text) = tags.first(where: { $0.key.lowercased() == "timecode" }),
            let rate = source.frameRate, let code = TimeCode(text, rate: rate)
        else { return [:] }
        let offset = (source.part?.start ?? source.start) - source.start
        let frame = Rational(rate.denominator, rate.numerator)
        let first = code.advanced(by: Int(clamping: offset.ticks(of: frame)))
        return [name: "\(stream.nominalFrameRate.flatMap { first.converted(to: $0) } ?? first)"]
    }

    /// Writes the file's tags.
    ///
    /// - Returns: a sentence that names the tags that the container cannot store; nil when there are none.
    private func addTags(to muxer: Muxer) -> String? {
        var tags = source.map { OutputFormat.fileTags($0.metadata) } ?? [:]
        if let source { tags.merge(timeCode(in: tags, of: source)) { $1 } }
        tags.merge(options.metadata) { $1 }
        OptionDictionary.add(tags, to: &muxer.pointer.pointee.metadata)
        return source == nil || format.isY4M ? nil : format.loss(ofTags: tags.keys)
    }

    /// Writes the chapters.
    ///
    /// - Returns: the number of chapters that end before the output starts.
    private func addChapters(
        of source: MediaSourceDescription, to muxer: Muxer, shift: MediaTime
    ) throws(FrameError) -> Int {
        let ratio = retiming.factor
        // Times of a part count from its beginning.
        let shift = shift - (source.part?.start ?? .zero).multiplied(by: ratio)
        let wanted = source.chapters.compactMap { $0.cut(to: source.part) }
        let chapters = wanted.compactMap { $0.retimed(by: ratio, shift: shift) }
        guard !chapters.isEmpty else { return wanted.count }
        let table = try allocated(
            av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride), "the chapter table")
        let entries = table.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        muxer.pointer.pointee.chapters = entries
        for (index, chapter) in chapters.enumerated() {
            let memory = try allocated(av_mallocz(MemoryLayout<AVChapter>.size), "a chapter")
            let entry = memory.assumingMemoryBound(to: AVChapter.self)
            entries[index] = entry
            muxer.pointer.pointee.nb_chapters = UInt32(index + 1)
            let base = Rational(1, (chapter.end - chapter.start).timescale)
            entry.pointee.id = Int64(index + 1)
            entry.pointee.time_base = base.av
            entry.pointee.start = chapter.start.ticks(of: base)
            entry.pointee.end = chapter.end.ticks(of: base)
            OptionDictionary.add(chapter.metadata, to: &entry.pointee.metadata)
        }
        return wanted.count - chapters.count
    }

    private var headerOptions: [String: String] {
        if let animation = format.animation {
            let option = animation.loopOption(plays: source?.plays ?? 0)
            return [option.name: option.value]
        }
        guard format.isMov else { return [:] }
        var flags: [String] = []
        // If the output is not seekable, only a fragmented file is playable.
        if !target.isSeekable { flags += ["frag_keyframe", "empty_moov", "default_base_moof"] }
        if let source, format.needsFreeTags(source.metadata.keys) { flags.append("use_metadata_tags") }
        var options = ["movie_timescale": "\(movieClock)"]
        if !flags.isEmpty { options["movflags"] = flags.joined(separator: "+") }
        return options
    }

    /// The movie timescale in ticks per second, which edit lists use too. The default of 1000 would round the start
    /// times of video and audio.
    private var movieClock: Int32 {
        var clock = max(1000, timeBase.denominator)
        for stream in source?.streams ?? [] {
            let rate = stream.codecParameters.pointer.pointee.sample_rate
            guard rate > 0 else { continue }
            let both = clock.multipliedReportingOverflow(by: rate / Int32(av_gcd(Int64(clock), Int64(rate))))
            if !both.overflow { clock = both.partialValue }
        }
        return clock
    }

    /// Returns the duration of a frame, for formats that count frames instead of storing their times: a finer tick would
    /// become their frame rate.
    private static func frameTick(
        _ format: OutputFormat, _ stream: VideoStreamDescription, _ source: MediaSourceDescription?
    ) -> Rational? {
        guard format.countsFrames, let rate = stream.nominalFrameRate?.reduced, rate.isPositive else { return nil }
        // In AVI, empty packets keep the times of unevenly spaced frames.
        let isResampled = source.map { $0.frameRate?.reduced != rate } ?? false
        guard format.name != "avi" || isResampled || source?.isEven() == true else { return nil }
        return Rational(rate.denominator, rate.numerator)
    }

    /// Returns the stream's time base, made coarser if it is too fine for encoders.
    private static func timeBase(_ stream: VideoStreamDescription) -> Rational {
        guard let base = stream.timeBase.isPositive ? stream.timeBase.reduced : nil else { return Rational(1, 90_000) }
        return base.denominator > 1_000_000_000 ? Rational(1, 1_000_000_000) : base
    }

    /// Tick of the coarsest time base that the frames' times have been rounded to.
    var clockTick: MediaTime {
        let own = MediaTime(ticks: 1, base: stream.timeBase.isPositive ? stream.timeBase : Rational(1, 90_000))
        guard let source, source.timeBase.isPositive else { return own }
        return max(own, MediaTime(ticks: 1, base: source.timeBase).multiplied(by: retiming.factor))
    }

    /// Whether an encoder writes side data of the stream into its packets, where decoders find it, whatever the container.
    private static func isInTheStream(_ entry: SideData.Entry, _ encoder: VideoEncoder) -> Bool {
        let kinds = [AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL]
        return kinds.contains { Int32($0.rawValue) == entry.code }
            && ["libx265", "libsvtav1"].contains(encoder.name)
    }

    /// One sentence for each property of the video that the container cannot store.
    private func lostTags(_ encoder: VideoEncoder) -> [Note] {
        var notes: [Note] = []
        let identity: [Int32] = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 1 << 30]
        if let matrix = stream.displayMatrix, matrix != identity, matrix.contains(where: { $0 != 0 }), !format.isMov {
            notes.append(
                .loss(
                    "rotation-dropped", "the rotation of the source is not kept, since \(format.name) cannot store it"))
        }
        var others = stream
        others.colorProfile = nil
        let entries = others.sideData.entries.filter { !Self.isInTheStream($0, encoder) }
        if !entries.isEmpty, !format.isMov, !format.isMatroska {
            let kinds = entries.map(\.kind).joined(separator: ", ")
            notes.append(.loss("side-data-dropped", "\(format.name) cannot store: \(kinds)"))
        }
        if let source, !source.chapters.isEmpty, !format.holdsChapters {
            notes.append(.loss("chapters-dropped", "\(format.name) cannot store the chapters of the source"))
        }
        if format.lacksSphericalBoxes, !target.isSeekable, !SphericalBoxes(stream.sideData).isEmpty {
            notes.append(
                .loss(
                    "spherical-dropped",
                    "the description of the 360° or stereoscopic video is left out; \(format.name) can store it only in a file"
                ))
        }
        if format.animation == .webp, let ratio = stream.sampleAspectRatio?.reduced, ratio != Rational(1, 1) {
            notes.append(
                .loss(
                    "aspect-dropped",
                    "\(format.name) cannot store the shape of the pixels, \(ratio); viewers will show squares")
            )
        }
        if format.animation == nil, let note = AnimationFormat.noteOnPlays(source, in: format.name) {
            notes.append(note)
        }
        for kind in source.map({ StreamSideData.unknownKinds($0.video.sideData) }) ?? [] {
            notes.append(.loss("side-data-dropped", "\(format.name) cannot store the \"\(kind)\" of the source"))
        }
        if let dolbyVision = source?.dolbyVision { notes.append(dolbyVision.noteOnLoss) }
        return notes + lostImageData
    }

    /// What images say beside their pixels and a video cannot.
    private var lostImageData: [Note] {
        var notes: [Note] = []
        if stream.colorProfile != nil {
            notes.append(
                .loss(
                    "color-profile-dropped",
                    "the ICC profile is not kept in a video, so players will show other colors if it is not that of the color tags"
                ))
        }
        if source?.hasImageMetadata == true {
            notes.append(
                .loss("image-metadata-dropped", "EXIF and other metadata of images is not kept in a video"))
        }
        return notes
    }
}

extension MediaChapter {
    /// Returns the chapter as far as it lies in a part of the clip; nil if it does not.
    fileprivate func cut(to part: LocatedPart?) -> MediaChapter? {
        guard let part else { return self }
        var chapter = self
        chapter.start = max(start, part.start)
        chapter.end = part.end.map { min(end, $0) } ?? end
        return chapter.start < chapter.end ? chapter : nil
    }
    /// Returns the chapter on the output's clock; nil if it ends before zero.
    fileprivate func retimed(by ratio: Rational, shift: MediaTime) -> MediaChapter? {
        var chapter = self
        chapter.start = max(MediaTime(value: 0, timescale: start.timescale), start.multiplied(by: ratio) + shift)
        chapter.end = end.multiplied(by: ratio) + shift
        return chapter.start < chapter.end ? chapter : nil
    }
}
