internal import FrameCore
internal import FrameEffects
internal import MediaIO
internal import Pipeline

extension Conversion: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case version, input, effects, quality, cuts, output, extras
        case ownMotion = "own_motion"
        case atCut = "at_cut"
        case longHolds = "long_holds"
    }

    /// Reads the JSON form; missing keys have their defaults.
    ///
    /// - Throws: `FrameError` for an unknown version, key or effect and for a setting that is not allowed;
    ///   `DecodingError` if something is missing or has the wrong type.
    public init(from decoder: any Decoder) throws {
        // Another version may have other keys.
        let version = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .version)
        guard version == Self.version else {
            throw FrameError(
                .invalidArgument, "the job has version \(version); this program reads version \(Self.version)")
        }
        let values = try decoder.values(Key.self, of: "the job")
        try self.init(
            input: values.decode(ConversionInput.self, forKey: .input),
            effects: values.decode([EffectStep].self, forKey: .effects),
            quality: values.word(QualityWord.self, .quality)?.quality ?? .normal,
            output: values.decode(ConversionOutput.self, forKey: .output))
        sharesMotion = try !(values.decodeIfPresent(Bool.self, forKey: .ownMotion) ?? false)
        atCut = try values.word(CutTreatment.self, .atCut) ?? atCut
        longHolds = try values.word(LongHoldTreatment.self, .longHolds) ?? longHolds
        cuts = try values.decodeIfPresent(ConversionCuts.self, forKey: .cuts) ?? cuts
        extras = try values.decodeIfPresent(ConversionExtras.self, forKey: .extras) ?? extras
        guard EffectRecipe.stepRange.contains(effects.count) else {
            throw FrameError(
                .invalidArgument,
                "\(effects.count) effects are not allowed in a job; it has \(EffectRecipe.stepRange.lowerBound) to \(EffectRecipe.stepRange.upperBound)"
            )
        }
    }

    /// Writes everything, including defaults.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(input, forKey: .input)
        try values.encode(effects, forKey: .effects)
        try values.encode(QualityWord(quality), forKey: .quality)
        try values.encode(!sharesMotion, forKey: .ownMotion)
        try values.encode(atCut, forKey: .atCut)
        try values.encode(longHolds, forKey: .longHolds)
        try values.encode(cuts, forKey: .cuts)
        try values.encode(output, forKey: .output)
        try values.encode(extras, forKey: .extras)
    }
}

/// The qualities as they are called on the command line.
private enum QualityWord: String, Codable, CaseIterable {
    case normal, high

    init(_ quality: QualityPrioritization) { self = quality == .quality ? .high : .normal }
    var quality: QualityPrioritization { self == .high ? .quality : .normal }
}

extension ConversionCuts: Codable {
    private enum Key: String, CodingKey, CaseIterable { case threshold, file, frames }

    /// Reads one of `{"threshold": 0.5}`, `{"file": path}` and `{"frames": [numbers]}`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'cuts'")
        guard values.allKeys.count == 1 else {
            throw FrameError(.invalidArgument, "'cuts' takes one of threshold, file and frames")
        }
        if let frames = try values.decodeIfPresent([Int].self, forKey: .frames) {
            guard frames.allSatisfy(frameNumbers.contains) else {
                throw FrameError(
                    .invalidArgument,
                    "'cuts' takes frames from \(frameNumbers.lowerBound) to \(frameNumbers.upperBound)")
            }
            self = .frames(Self.ordered(frames))
        } else if let file = try values.decodeIfPresent(String.self, forKey: .file) {
            self = .file(file)
        } else {
            let threshold = try values.decode(Float.self, forKey: .threshold)
            _ = try CutSearch.lookingAhead.withThreshold(threshold)
            self = .found(threshold: threshold)
        }
    }

    /// Writes the same.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .found(let threshold): try values.encode(threshold, forKey: .threshold)
        case .file(let file): try values.encode(file, forKey: .file)
        case .frames(let frames): try values.encode(Self.ordered(frames), forKey: .frames)
        }
    }

    /// Equal lists have equal JSON.
    private static func ordered(_ frames: [Int]) -> [Int] { Set(frames).sorted() }
}

extension ConversionInput: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case file, from, to, duration, fps, fields, interlaced, cadence, repeats, loop, strict, network
        case fieldRate = "field_rate"
        case startNumber = "start_number"
        case dolbyVision = "ignore_dolby_vision"
    }

    /// Reads the input.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'input'")
        file = try values.decode(String.self, forKey: .file)
        let start = try values.decodeIfPresent(Position.self, forKey: .from)?.position
        let end = try values.decodeIfPresent(Position.self, forKey: .to)?.position
        let length = try values.decodeIfPresent(Position.self, forKey: .duration)?.position
        guard end == nil || length == nil else {
            throw FrameError(.invalidArgument, "'input' takes one of to and duration")
        }
        if start != nil || end != nil || length != nil {
            part = try ClipPart(start: start, end: end.map { .position($0) } ?? length.map { .length($0) })
        }
        frameRate = try values.decodeIfPresent(String.self, forKey: .fps).map { text in
            let rates = RateConversionPlan.rateRange
            guard let rate = Rational(exactly: Substring(text)),
                (Double(rates.lowerBound)...Double(rates.upperBound)).contains(rate.doubleValue)
            else { throw FrameError(.invalidArgument, "fps '\(text)' is not a frame rate from 1 to 1000") }
            return rate
        }
        startNumber = try values.decodeIfPresent(Int.self, forKey: .startNumber)
        // Jobs of earlier versions say only whether interlaced frames are processed as they are.
        let isLeftInterlaced = try values.decodeIfPresent(Bool.self, forKey: .interlaced) ?? false
        fields = try values.word(FieldHandling.self, .fields) ?? (isLeftInterlaced ? .off : .auto)
        fieldRate = try values.word(FieldRate.self, .fieldRate)
        cadence = try values.word(DeinterlacePass.CadenceHandling.self, .cadence) ?? cadence
        repeats = try values.word(RepeatTreatment.self, .repeats) ?? repeats
        loops = try values.decodeIfPresent(Bool.self, forKey: .loop) ?? loops
        isStrict = try values.decodeIfPresent(Bool.self, forKey: .strict) ?? isStrict
        allowsNetwork = try values.decodeIfPresent(Bool.self, forKey: .network) ?? allowsNetwork
        ignoresDolbyVision = try values.decodeIfPresent(Bool.self, forKey: .dolbyVision) ?? ignoresDolbyVision
    }

    /// Writes everything that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(file, forKey: .file)
        try values.encodeIfPresent(part?.start.map(Position.init), forKey: .from)
        switch part?.end {
        case .position(let end): try values.encode(Position(end), forKey: .to)
        case .length(let length): try values.encode(Position(length), forKey: .duration)
        case nil: break
        }
        try values.encodeIfPresent(frameRate?.description, forKey: .fps)
        try values.encodeIfPresent(startNumber, forKey: .startNumber)
        try values.encode(fields, forKey: .fields)
        try values.encodeIfPresent(fieldRate, forKey: .fieldRate)
        try values.encode(cadence, forKey: .cadence)
        try values.encode(repeats, forKey: .repeats)
        // Jobs without it are those of earlier versions.
        if loops { try values.encode(loops, forKey: .loop) }
        try values.encode(isStrict, forKey: .strict)
        try values.encode(allowsNetwork, forKey: .network)
        try values.encode(ignoresDolbyVision, forKey: .dolbyVision)
    }
}

/// The allowed numbers of frames.
private let frameNumbers = 0...Int(Int32.max)

/// A place in a clip: `{"frame": 300}`, or `{"time": {"value": 5, "timescale": 2}}`.
private struct Position: Codable {
    private enum Key: String, CodingKey, CaseIterable { case frame, time }

    let position: ClipPosition

    init(_ position: ClipPosition) { self.position = position }

    init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "a position")
        let frame = try values.decodeIfPresent(Int.self, forKey: .frame)
        let time = try values.decodeIfPresent(MediaTime.self, forKey: .time)
        switch (frame, time) {
        case (let frame?, nil) where frameNumbers.contains(frame): position = .frame(frame)
        case (nil, let time?) where time.timescale > 0 && time.value >= 0: position = .time(time)
        default:
            throw FrameError(
                .invalidArgument,
                "a position is either a frame from \(frameNumbers.lowerBound) to \(frameNumbers.upperBound) or a time of 0 or later"
            )
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch position {
        case .frame(let frame): try values.encode(frame, forKey: .frame)
        // Equal times have equal JSON.
        case .time(let time): try values.encode(time.reduced, forKey: .time)
        }
    }
}

extension ConversionOutput: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case file, format, codec, crf, preset, audio
        case pixelFormat = "pixel_format"
        case encoderThreads = "encoder_threads"
        case keepsStart = "keep_start"
        case failsOnLoss = "fail_on_loss"
    }

    /// Reads the output.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'output'")
        file = try values.decode(String.self, forKey: .file)
        format = try values.decodeIfPresent(String.self, forKey: .format)
        codec = try values.word(MediaWriterOptions.Codec.self, .codec)
        crf = try values.decodeIfPresent(Double.self, forKey: .crf)
        preset = try values.decodeIfPresent(String.self, forKey: .preset)
        pixelFormat = try values.decodeIfPresent(String.self, forKey: .pixelFormat)
        encoderThreads = try values.decodeIfPresent(Int.self, forKey: .encoderThreads) ?? encoderThreads
        keepsStart = try values.decodeIfPresent(Bool.self, forKey: .keepsStart) ?? keepsStart
        audio = try values.word(Audio.self, .audio) ?? audio
        failsOnLoss = try values.decodeIfPresent(Bool.self, forKey: .failsOnLoss) ?? failsOnLoss
        if let crf, !(0...100).contains(crf) {
            throw FrameError(.invalidArgument, "crf \(crf) is not a number from 0 to 100")
        }
        guard (1...64).contains(encoderThreads) else {
            throw FrameError(
                .invalidArgument, "encoder_threads \(encoderThreads) is not a whole number from 1 to 64")
        }
    }

    /// Writes everything that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(file, forKey: .file)
        try values.encodeIfPresent(format, forKey: .format)
        try values.encodeIfPresent(codec, forKey: .codec)
        try values.encodeIfPresent(crf, forKey: .crf)
        try values.encodeIfPresent(preset, forKey: .preset)
        try values.encodeIfPresent(pixelFormat, forKey: .pixelFormat)
        try values.encode(encoderThreads, forKey: .encoderThreads)
        try values.encode(keepsStart, forKey: .keepsStart)
        try values.encode(audio, forKey: .audio)
        try values.encode(failsOnLoss, forKey: .failsOnLoss)
    }
}

extension ConversionExtras: Codable {
    private enum Key: String, CodingKey, CaseIterable {
        case thumbnails, storyboard
        case keepsGrain = "keep_grain"
        case grainTable = "grain_table"
    }

    /// Reads the extra outputs.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'extras'")
        thumbnails = try values.decodeIfPresent(Thumbnails.self, forKey: .thumbnails)
        storyboard = try values.decodeIfPresent(Storyboard.self, forKey: .storyboard)
        keepsGrain = try values.decodeIfPresent(Bool.self, forKey: .keepsGrain) ?? false
        grainTable = try values.decodeIfPresent(String.self, forKey: .grainTable)
        if let thumbnails, !(1...100).contains(thumbnails.count) {
            throw FrameError(
                .invalidArgument, "the count of thumbnails is \(thumbnails.count); it is a whole number from 1 to 100")
        }
    }

    /// Writes everything that is set.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(thumbnails, forKey: .thumbnails)
        try values.encodeIfPresent(storyboard, forKey: .storyboard)
        try values.encode(keepsGrain, forKey: .keepsGrain)
        try values.encodeIfPresent(grainTable, forKey: .grainTable)
    }
}

extension ConversionExtras.Thumbnails: Codable {
    private enum Key: String, CodingKey, CaseIterable { case folder, count }

    /// Reads the description of the thumbnails.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'thumbnails'")
        self.init(folder: try values.decode(String.self, forKey: .folder))
        count = try values.decodeIfPresent(Int.self, forKey: .count) ?? count
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(folder, forKey: .folder)
        try values.encode(count, forKey: .count)
    }
}

extension ConversionExtras.Storyboard: Codable {
    private enum Key: String, CodingKey, CaseIterable { case folder, interval }

    /// Reads the storyboard's description.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.values(Key.self, of: "'storyboard'")
        folder = try values.decode(String.self, forKey: .folder)
        interval = try values.decodeIfPresent(Position.self, forKey: .interval)?.position
    }

    /// Writes it.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(folder, forKey: .folder)
        try values.encodeIfPresent(interval.map(Position.init), forKey: .interval)
    }
}
