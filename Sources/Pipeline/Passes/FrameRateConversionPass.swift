public import FrameCore
internal import FrameEffects
internal import Motion

/// Shows frames at the times of a plan: source frames unchanged and without a copy, and interpolated frames in between.
public struct FrameRateConversionPass: KeepingEffect {
    /// The maximum number of frames requested from the engine at once, which bounds the length of its list of phases.
    static let phasesPerCall = 16

    /// Which frames are needed, and when.
    private var plan: any TimingPlan
    /// How frames are made.
    package let options: ConversionOptions
    package var masks: FrameMasks?
    /// Whether source frames that were left out are replaced by interpolated ones.
    private var fillsRepeats = false
    /// Whether the last frame is the first one again, which is not shown.
    private var loops = false

    /// Creates an effect that makes the frames of `plan` according to `options`.
    public init(plan: any TimingPlan, options: ConversionOptions) {
        self.plan = plan
        self.options = options
    }

    /// The effect for a clip whose repeats have been left out.
    var afterRepeats: FrameRateConversionPass {
        var pass = self
        pass.fillsRepeats = true
        return pass
    }

    /// The effect for a clip whose first frame comes again at its end, where it is only led to.
    var looping: FrameRateConversionPass {
        var pass = self
        pass.loops = true
        return pass
    }

    /// `slomo` for a plan that changes the speed, `rate` for others.
    public var name: String { plan.retiming.isIdentity ? "rate" : "slomo" }
    /// The name, the phases or the rate, and how frames are made.
    public var summary: String {
        [
            name, plan.summary, options.summary, "\(options.atCut.rawValue) at cuts,",
            "\(options.longHolds.rawValue) in long holds" + (loops ? " in a loop" : ""),
        ].joined(separator: " ")
    }
    /// No neighbours except the frames that follow: the motion of the next pair shows how paths bend, and that of the one
    /// after it is estimated while frames are made.
    public var window: TemporalWindow {
        TemporalWindow().usingMotion().seeingUpcoming(pairs: 2)
    }
    /// The plan.
    public var timing: (any TimingPlan)? { plan }
    /// Returns the effect with the plan for the part.
    public func starting(at time: MediaTime, frame: Int?) -> FrameRateConversionPass {
        var pass = self
        pass.plan = plan.starting(at: time, frame: frame)
        return pass
    }
    /// Returns the effect for a source with this frame rate.
    ///
    /// - Throws: `FrameError` if the rate is needed and not known.
    func knowing(sourceRate: Rational?) throws(FrameError) -> FrameRateConversionPass {
        guard let ramp = plan as? SpeedRampPlan else { return self }
        var pass = self
        let known = ramp.knowing(sourceRate: sourceRate)
        guard known.rate != nil else {
            throw FrameError(
                .invalidArgument,
                "a speed ramp needs the frame rate of its output, and the clip states none from 1 to 1000; give it (--fps)"
            )
        }
        pass.plan = known
        return pass
    }
    /// Returns the plan's description of the output.
    public func outputStream(for source: VideoStreamDescription) -> VideoStreamDescription {
        plan.outputStream(for: source)
    }
    /// Where a speed ramp ends before the clip does.
    public func notes(over source: VideoStreamDescription) -> [String] {
        guard let stop = (plan as? SpeedRampPlan)?.curve.stop, let length = source.duration, stop < length else {
            return []
        }
        return ["what comes after \(stop.shortText) s is not shown, because the speed stays 0 from there"]
    }
    /// Starts a clip.
    public func makeRun(for source: VideoStreamDescription) -> any EffectRun {
        let ramp = (plan as? SpeedRampPlan)?.knowing(sourceRate: source.nominalFrameRate)
        var run = FrameRateConversionRun(ramp ?? plan, options, AreaKeeper(self))
        run.loops = loops
        if fillsRepeats, let rate = source.nominalFrameRate, rate.isPositive {
            run.interval = MediaTime(value: Int64(rate.denominator), timescale: rate.numerator)
        }
        return run
    }
}

/// The engine keeps state from pair to pair only as ``PairContinuity`` allows, so its state depends only on the
/// source's timeline.
private struct FrameRateConversionRun: EffectRun {
    private let options: ConversionOptions
    private var plan: any TimingPlan
    /// The usual time between source frames, if slow motion replaces those that were left out; nil otherwise.
    var interval: MediaTime?
    /// Whether the last frame is not shown.
    var loops = false
    private var engine: FrameRateConversionEngine?
    private var blendPool: PixelBufferPool?
    private var tracker = PairContinuity()
    private var spacing = PairSpacing()
    /// The motion from the last frame made to the next source frame, and that source frame's index.
    private var rest: (flow: OpticalFlow, next: Int)?
    private var limit = OutputFrameLimit()
    private var writer: PlannedFrameWriter
    private(set) var report = EffectReport()

    init(_ plan: any TimingPlan, _ options: ConversionOptions, _ keeper: AreaKeeper) {
        self.plan = plan
        self.options = options
        writer = PlannedFrameWriter(keeper)
        report.interpolationModes = InterpolationModeCounts()
    }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        let source = neighbourhood.current
        writer.singleData.append(source)
        guard let following = neighbourhood.following else {
            try writer.endExposure(output)
            defer { output.addToLastFrame(writer.singleData.takeRest()) }
            guard !loops else { return }
            let planned = plan.closingFrames(last: source.presentationTime, end: neighbourhood.end)
            try limit.take(planned, of: neighbourhood.index, at: source.presentationTime)
            for frame in planned { try show(neighbourhood, as: frame, output) }
            return
        }
        let hold = options.longHolds == .hold ? neighbourhood.heldUntil : nil
        if hold != nil { report.longHolds += 1 }
        let planned = Self.frames(
            of: &plan, from: source.presentationTime, heldUntil: hold, to: following.presentationTime,
            end: neighbourhood.end, filling: neighbourhood.gapFollows ? interval : nil)
        try limit.take(planned, of: neighbourhood.index, at: source.presentationTime)
        var waiting: [(phase: Float, frame: PlannedFrame)] = []
        let beginsWithSource = planned.first?.content == .source
        var begun = writer.begunFrame
        for frame in planned {
            if let exposure = frame.exposure {
                if exposure.moment == 0 { begun = frame.time }
                // The other moments of the frame are on the far side of a cut or of a reset point.
                guard begun == frame.time else { continue }
            }
            switch frame.content {
            case .source: try show(neighbourhood, as: frame, output)
            case .between(let phase):
                waiting.append((phase, frame))
                if waiting.count == FrameRateConversionPass.phasesPerCall {
                    try make(&waiting, neighbourhood, following.buffer, isWhole: false, output)
                }
            }
        }
        try make(
            &waiting, neighbourhood, following.buffer,
            isWhole: beginsWithSource && planned.count == waiting.count + 1, output)
        // A run that begins at a reset point knows nothing of the moments before it.
        let resetFollows = neighbourhood.upcoming.first?.resets ?? true
        if resetFollows || neighbourhood.cutFollows { try writer.endExposure(output) }
    }

    /// Advances the plan, which counts the frames.
    mutating func pass(_ neighbourhood: Neighbourhood) {
        let time = neighbourhood.current.presentationTime
        writer.singleData.append(neighbourhood.current)
        if let following = neighbourhood.following {
            let planned = Self.frames(
                of: &plan, from: time, heldUntil: nil, to: following.presentationTime, end: neighbourhood.end,
                filling: neighbourhood.gapFollows ? interval : nil)
            limit.count(planned)
            if !planned.isEmpty { writer.singleData.removeAll() }
        } else {
            limit.count(plan.closingFrames(last: time, end: neighbourhood.end))
        }
    }

    mutating func skip(frames: Int, from first: MediaTime, to time: MediaTime) {
        guard frames > 0 else { return }
        limit.count(plan.skip(frames: frames, from: first, to: time))
    }

    /// Returns the frames of a plan.
    ///
    /// - Parameter interval: the usual time between source frames, if slow motion replaces those that were left out here.
    private static func frames(
        of plan: inout any TimingPlan, from source: MediaTime, heldUntil hold: MediaTime?, to next: MediaTime,
        end: MediaTime?, filling interval: MediaTime?
    ) -> PlannedFrames {
        if let interval, hold == nil, let plan = plan as? SlowMotionPlan {
            return plan.frames(from: source, to: next, filling: interval)
        }
        return plan.frames(from: source, heldUntil: hold, to: next, end: end)
    }

    private mutating func takeRest(_ index: Int) -> OpticalFlow? {
        defer { rest = nil }
        return rest.flatMap { $0.next == index ? $0.flow : nil }
    }

    private mutating func show(
        _ neighbourhood: Neighbourhood, as planned: PlannedFrame, _ output: EffectOutput
    ) throws {
        let source = neighbourhood.current
        let shown = source.replacing(
            buffer: source.buffer, presentationTime: planned.time, duration: planned.duration)
        let original = AreaKeeper.Original(buffer: source.buffer, number: neighbourhood.sourceNumber)
        try writer.write(
            shown, planned, .current, keeping: original, motion: takeRest(neighbourhood.index), output)
    }

    private mutating func make(
        _ waiting: inout [(phase: Float, frame: PlannedFrame)], _ neighbourhood: Neighbourhood,
        _ next: PixelBuffer, isWhole: Bool, _ output: EffectOutput
    ) throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        guard !waiting.isEmpty else { return }
        let source = neighbourhood.current
        rest = nil
        let original = AreaKeeper.Original(buffer: source.buffer, number: neighbourhood.sourceNumber)
        let later = AreaKeeper.Original(buffer: next, number: neighbourhood.followingNumber)
        func made(_ picture: PixelBuffer, _ frame: PlannedFrame, phase: Float) -> Frame {
            var made = source.replacing(buffer: picture, presentationTime: frame.time, duration: frame.duration)
            // What describes how frames look is that of the nearer frame.
            if phase > 0.5, !neighbourhood.cutFollows, let following = neighbourhood.following {
                made.sideData = following.sideData
            }
            return made
        }
        guard !neighbourhood.cutFollows else {
            for (phase, frame) in waiting {
                let picture = try fill(phase, source.buffer, next)
                try writer.write(
                    made(picture, frame, phase: phase), frame, options.atCut == .blend ? .acrossCut : .afterCurrent,
                    keeping: phase > 0.5 && options.atCut == .blend ? later : original, motion: nil, output)
            }
            return
        }
        // While a picture stands still, many frames show the same moment.
        var groups: [(phase: Float, frames: [PlannedFrame])] = []
        for (phase, frame) in waiting {
            if groups.last?.phase == phase {
                groups[groups.count - 1].frames.append(frame)
            } else {
                groups.append((phase, [frame]))
            }
        }
        let phases = groups.map(\.phase)
        // The motion is known if the source frame itself is shown and all frames in between are made in one call.
        let passesMotion = output.wantsMotion && isWhole && groups.count == waiting.count, context = options.context
        var parts: [OpticalFlow] = []
        // The run itself is changed meanwhile.
        var writer = PlannedFrameWriter()
        swap(&writer, &self.writer)
        defer { self.writer = writer }
        try interpolate(phases, neighbourhood, next) { index, picture, flow in
            if passesMotion, index == 0, let flow { parts = flow.split(at: phases, context: context) }
            for frame in groups[index].frames {
                try writer.write(
                    made(picture, frame, phase: groups[index].phase), frame, .afterCurrent,
                    keeping: groups[index].phase > 0.5 ? later : original,
                    motion: index < parts.count ? parts[index] : nil, output)
            }
        }
        rest = parts.last.map { ($0, neighbourhood.index + 1) }
    }

    /// Returns a frame shown across a cut.
    private mutating func fill(_ phase: Float, _ buffer: PixelBuffer, _ next: PixelBuffer) throws -> PixelBuffer {
        switch options.atCut {
        case .hold:
            report.heldAtCut += 1
            return buffer
        case .blend:
            report.blendedOverCut += 1
            let pool =
                try blendPool ?? PixelBufferPool(format: buffer.format, width: buffer.width, height: buffer.height)
            blendPool = pool
            return try crossFade(from: buffer, to: next, phase: phase, pool: pool)
        }
    }

    /// Calls `each` with the frame at each phase as soon as it is made, so that only one is held at a time.
    private mutating func interpolate(
        _ phases: [Float], _ neighbourhood: Neighbourhood, _ next: PixelBuffer,
        _ each: (Int, PixelBuffer, OpticalFlow?) throws -> Void
    ) throws {
        let buffer = neighbourhood.current.buffer
        let engine =
            try self.engine
            ?? FrameRateConversionConfiguration(
                unchecked: FrameDimensions(width: buffer.width, height: buffer.height),
                qualityPrioritization: options.quality
            ).makeEffect(format: buffer.format, context: options.context)
        self.engine = engine
        let relation = tracker.advance(
            toPair: neighbourhood.index, isFlash: neighbourhood.flashFollows, resets: neighbourhood.resets)
        let upcoming = motionNeeded(for: neighbourhood.upcoming)
        let interval = neighbourhood.following.map { $0.presentationTime - neighbourhood.current.presentationTime }
        let neighbours = spacing.neighbours(
            ofPair: neighbourhood.index, interval: interval, next: neighbourhood.upcoming.first?.interval)
        var failure: (any Error)?
        let (modes, _) = try engine.make(
            from: buffer, to: next, phases: phases, relation: relation, flow: neighbourhood.motion.after,
            upcoming: upcoming, neighbours: neighbours
        ) { index, picture, flow in
            do { try each(index, picture, flow) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        report.interpolationModes? += modes
    }

    /// Returns what the engine needs of the upcoming pairs, up to the first from which no frame is made.
    private func motionNeeded(for pairs: [UpcomingPair]) -> [UpcomingFrame] {
        var plan = plan, tracker = tracker, needed: [UpcomingFrame] = []
        for pair in pairs {
            guard !pair.cutFollows else { break }
            let planned = Self.frames(
                of: &plan, from: pair.current.presentationTime,
                heldUntil: options.longHolds == .hold ? pair.heldUntil : nil,
                to: pair.following.presentationTime, end: pair.end, filling: pair.gapFollows ? interval : nil)
            // Frames between the two come last, after those of a hold, of which there may be millions.
            guard let last = planned.last, last.content != .source else { break }
            let relation = tracker.advance(toPair: pair.index, isFlash: pair.flashFollows, resets: pair.resets)
            needed.append(UpcomingFrame(pair.following.buffer, relation, flow: pair.motion))
        }
        return needed
    }
}
