internal import FrameCore
internal import FrameEffects
internal import Imaging

/// The engine keeps nothing across frames that reset, or that are not neighbours of the same kind.
struct DeinterlaceRun: EffectRun {
    private let pass: DeinterlacePass
    private var plan = FieldRatePlan()
    private var engine: DeinterlacerEngine?
    /// Nil unless the clip has film in it.
    private var film: FilmCadence?
    private var interlacedFrames = 0
    /// The frames whose pictures had been shown before.
    private var repeatedFrames = 0
    private var singleData = SinglePictureData()
    /// Whether the frame's captions have come with the frame before.
    private var dataIsTaken = false

    init(_ pass: DeinterlacePass) {
        self.pass = pass
        film = pass.film.map { FilmCadence(usual: $0, context: pass.options.context) }
    }

    var report: EffectReport {
        var report = EffectReport()
        report.measurements = [EffectMeasurement(name: "interlaced frames", value: Double(interlacedFrames))]
        if film != nil {
            report.measurements.append(EffectMeasurement(name: "repeated frames", value: Double(repeatedFrames)))
        }
        return report
    }

    mutating func pass(_ neighbourhood: Neighbourhood) { film?.pass(neighbourhood.current) }

    mutating func process(_ neighbourhood: Neighbourhood, to output: EffectOutput) throws {
        guard film != nil, let order = pass.order(of: neighbourhood.current, after: nil) else {
            film?.pass(neighbourhood.current)
            let order = pass.order(of: neighbourhood.current, after: neighbourhood.previous.last)
            return try deinterlace(neighbourhood, order, pass.rate, to: output)
        }
        try processFilm(neighbourhood, order, to: output)
        if neighbourhood.following == nil { output.addToLastFrame(singleData.takeRest()) }
    }

    /// Puts the pictures of film together again, and deinterlaces what is none.
    private mutating func processFilm(
        _ neighbourhood: Neighbourhood, _ order: FieldOrder, to output: EffectOutput
    ) throws {
        var neighbourhood = neighbourhood
        if !dataIsTaken { singleData.append(neighbourhood.current) }
        dataIsTaken = false
        var rate = pass.rate
        let outcome = try film?.next(neighbourhood, order)
        if let following = neighbourhood.following, film?.expectsRepeat == true,
            ResetSchedule.point(at: neighbourhood.index + 2) != nil
        {
            // A run that begins with the frame after the repeated one would not have its captions.
            singleData.append(following)
            dataIsTaken = true
        }
        switch outcome {
        case .repeated: repeatedFrames += 1
        case .picture(let picture, let time, let duration):
            var shown = neighbourhood.current.replacing(buffer: picture, presentationTime: time, duration: duration)
            shown.fieldOrder = nil
            singleData.move(to: &shown)
            try output.write(shown, motion: nil, hold: .until(nil))
        case .lone:
            rate = .frame
            fallthrough
        case .interlaced, nil:
            // What has been waiting comes with the first of the frames.
            singleData.move(to: &neighbourhood.current)
            try deinterlace(neighbourhood, order, rate, to: output)
        }
    }

    /// Makes pictures of a frame's fields; without an order, the frame is progressive.
    private mutating func deinterlace(
        _ neighbourhood: Neighbourhood, _ order: FieldOrder?, _ rate: FieldRate, to output: EffectOutput
    ) throws {
        let current = neighbourhood.current, planned = planned(neighbourhood, rate)
        let pictures = try order.map { try self.pictures(of: neighbourhood, $0, count: planned?.count ?? 1) } ?? []
        var made = current
        made.fieldOrder = nil
        guard let planned else {
            made.buffer = pictures.first ?? current.buffer
            return try output.write(made)
        }
        for (index, frame) in planned.enumerated() {
            let picture = index < pictures.count ? pictures[index] : current.buffer
            var time = frame.time
            if film != nil, index > 0, ResetSchedule.point(at: neighbourhood.index + 1) != nil {
                // A run that begins with the next frame does not know this one, and may show film from halfway before it.
                time = current.presentationTime + (time - current.presentationTime).multiplied(by: Rational(3, 4))
            }
            let shown = made.replacing(buffer: picture, presentationTime: time, duration: frame.duration)
            guard index > 0 else {
                try output.write(shown)
                made.sideData = made.sideData.forMadeFrames
                continue
            }
            try output.write(shown, motion: nil, hold: .until(nil))
        }
    }

    /// Returns the times of the frames that are made; nil if there is one, at its own time.
    private mutating func planned(_ neighbourhood: Neighbourhood, _ rate: FieldRate) -> PlannedFrames? {
        guard rate == .field else { return nil }
        let time = neighbourhood.current.presentationTime
        guard let following = neighbourhood.following else {
            return plan.closingFrames(last: time, end: neighbourhood.end)
        }
        let hold = pass.options.longHolds == .hold ? neighbourhood.heldUntil : nil
        return plan.frames(
            from: time, heldUntil: hold, to: following.presentationTime, end: neighbourhood.end)
    }

    /// Returns the pictures of the fields.
    private mutating func pictures(
        of neighbourhood: Neighbourhood, _ order: FieldOrder, count: Int
    ) throws -> [PixelBuffer] {
        let current = neighbourhood.current
        let before = neighbourhood.previous.last, after = neighbourhood.next.first
        // A neighbour of another field order has its fields at other times. The previous frame is judged by its mark, since
        // what it shows is not known where a run begins.
        let previous = before.flatMap { $0.fieldOrder == current.fieldOrder ? $0.buffer : nil }
        let next = after.flatMap { pass.order(of: $0, after: current) == order ? $0.buffer : nil }
        let engine =
            try self.engine
            ?? DeinterlacerEngine(
                format: current.buffer.format, width: current.buffer.width, height: current.buffer.height,
                quality: pass.options.quality, context: pass.options.context)
        if neighbourhood.resets || previous == nil { engine.forget() }
        let pictures = try engine.pictures(
            of: current.buffer, previous: previous, next: next, order: order, count: count)
        self.engine = engine
        interlacedFrames += 1
        return pictures
    }
}
