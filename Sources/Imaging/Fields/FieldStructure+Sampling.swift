public import FrameCore

extension FieldStructure {
    /// The number of places at which a clip is looked at by default.
    public static let places = 12

    /// Reads successive frames of a clip.
    ///
    /// - Parameters:
    ///   - time: where they begin, or somewhat earlier; nil for the beginning of the clip.
    ///   - count: their number; fewer at the end of the clip.
    ///   - body: called with each frame.
    public typealias FrameReading = (
        _ time: MediaTime?, _ count: Int, _ body: (Frame) throws -> Void
    ) throws -> Void

    /// Looks at groups of successive frames that are spread over a clip, or at all frames of a short one.
    ///
    /// - Parameters:
    ///   - stream: what is known of the clip. If its duration or rate is not, its beginning has to do.
    ///   - start: the time of the clip's first frame.
    ///   - flag: the field order that the file states; taken where the pictures show none.
    ///   - places: the number of groups.
    ///   - context: the threads and kernels to use.
    ///   - read: reads frames.
    /// - Throws: any error of `read`.
    public init(
        sampling stream: VideoStreamDescription, from start: MediaTime, flag: FieldOrder? = nil, places: Int = places,
        context: ExecutionContext, read: FrameReading
    ) throws {
        let groupFrames = FieldSurvey.groupLength + 1
        var survey = FieldSurvey()
        func look(at time: MediaTime?, _ count: Int) throws {
            try read(time, count) { frame in
                // Damaged pictures show edges of their own.
                if frame.isDamaged { survey.interrupt() } else { survey.append(frame.buffer, context: context) }
            }
            survey.interrupt()
        }
        if let duration = stream.duration, let rate = stream.nominalFrameRate,
            duration.seconds * rate.doubleValue > Double(2 * places * groupFrames)
        {
            for place in 0..<places {
                let share = Rational(Int32(2 * place + 1), Int32(2 * places))
                try look(at: start + duration.multiplied(by: share), groupFrames)
            }
        } else {
            try look(at: nil, 2 * places * groupFrames)
        }
        self = survey.structure(flag: flag)
    }

    /// Looks at a clip.
    ///
    /// A place that can be reached only by decoding many frames, in a clip with few keyframes, is left out.
    /// - Parameters:
    ///   - source: the clip, about to return its first frame. Its position changes.
    ///   - flag: the field order that the file states; taken where the pictures show none.
    ///   - places: the number of groups of frames that are looked at.
    ///   - context: the threads and kernels to use.
    /// - Returns: nil if the source is not seekable: what can be read only once cannot be looked at beforehand.
    /// - Throws: `FrameError` if memory cannot be allocated. Places that cannot be read are left out.
    public init?(
        of source: some SeekableFrameSource, flag: FieldOrder? = nil, places: Int = places, context: ExecutionContext
    ) throws {
        guard source.isSeekable, var groups = try FrameGroups(source) else { return nil }
        try self.init(
            sampling: source.stream, from: groups.start, flag: flag, places: places, context: context
        ) { try groups.read($0, $1, $2) }
    }
}
