internal import FrameCore
internal import Imaging

/// Follows the cadence of a clip for its deinterlacer, and puts the pictures of film together again.
struct FilmCadence {
    /// What becomes of a frame.
    enum Outcome {
        /// It is interlaced.
        case interlaced
        /// Its first field is the last one of a picture whose other fields are not in the clip.
        case lone
        /// It shows a picture that has been shown before.
        case repeated
        /// It shows a picture, due at this time and for this long.
        case picture(PixelBuffer, time: MediaTime, duration: MediaTime?)
    }

    private let usual: FieldStructure.Cadence
    private let context: ExecutionContext
    private var tracker: CadenceTracker?
    private var order: FieldOrder?
    /// The frame before.
    private var latest: Frame?
    /// When the latest picture was due.
    private var latestTime: MediaTime?
    /// What the frames that follow show, by their times.
    private var known: [(time: MediaTime, measurement: FieldMeasurement)] = []

    init(usual: FieldStructure.Cadence, context: ExecutionContext) {
        (self.usual, self.context) = (usual, context)
    }

    /// Whether the next frame is expected to show the same picture.
    var expectsRepeat: Bool { tracker?.expectsRepeat ?? false }

    /// Passes over a frame, which the next one is compared with.
    mutating func pass(_ frame: Frame) { latest = frame }

    /// Decides about the next frame.
    ///
    /// - Parameters:
    ///   - neighbourhood: the frame, with ``CadenceTracker/lookAhead`` frames after it.
    ///   - order: which of its fields is shown first.
    /// - Throws: `FrameError` if memory cannot be allocated.
    mutating func next(_ neighbourhood: Neighbourhood, _ order: FieldOrder) throws(FrameError) -> Outcome {
        let current = neighbourhood.current, before = latest
        defer { latest = current }
        // Cuts do not end a cadence: film is cut before it is telecined.
        let isReset = ResetSchedule.point(at: neighbourhood.index) != nil
        if isReset || order != self.order { tracker = CadenceTracker(order, usual: usual) }
        if isReset { latestTime = nil }
        self.order = order
        let place = place(of: neighbourhood, after: before)
        let outcome = try outcome(place, neighbourhood, before, isFirst: neighbourhood.index == 0)
        switch outcome {
        case .picture(_, let time, _): latestTime = time
        case .repeated, .lone: break
        case .interlaced:
            let own = current.presentationTime
            latestTime = neighbourhood.following.map {
                own + ($0.presentationTime - own).multiplied(by: Rational(1, 2))
            }
        }
        return outcome
    }

    private mutating func place(of neighbourhood: Neighbourhood, after before: Frame?) -> CadenceTracker.Place? {
        let current = neighbourhood.current
        var pairs: [(Frame, Frame)] = before.map { [($0, current)] } ?? []
        pairs += zip([current] + neighbourhood.next, neighbourhood.next)
        let measured = pairs.map { pair in
            let time = pair.1.presentationTime
            let measurement =
                known.first { $0.time == time }?.measurement
                ?? FieldMeasurement(of: pair.1.buffer, after: pair.0.buffer, context: context)
            return (time: time, measurement: measurement)
        }
        known = measured
        let following = measured.suffix(neighbourhood.next.count).map(\.measurement)
        return tracker?.next(before == nil ? nil : measured.first?.measurement, following: following)
    }

    private func outcome(
        _ place: CadenceTracker.Place?, _ neighbourhood: Neighbourhood, _ before: Frame?, isFirst: Bool
    ) throws(FrameError) -> Outcome {
        guard let place, let order else { return .interlaced }
        let current = neighbourhood.current
        var picture = current.buffer
        switch place.role {
        case .separate: return .interlaced
        case .whole, .continued: if isSplit(neighbourhood) { return .lone }
        case .straddling:
            guard let before, !isFirst else { return .lone }
            picture = try picture.replacingField(order == .topFirst ? 1 : 0, from: before.buffer)
        }
        guard place.isNew || isFirst else { return .repeated }
        let following = neighbourhood.following?.presentationTime
        let own = current.presentationTime
        // Next to a gap, frames are as far apart as on its other side.
        let step = [following.map { $0 - own }, before.map { own - $0.presentationTime }].compactMap(\.self).min()
        var time = own
        if !isFirst, let step { time = own + step.multiplied(by: Rational(Int32(place.delay), 4)) }
        if following == nil { time = min(time, own) }
        // Where a cadence breaks, a picture may be due before the one that has been shown.
        if let latestTime, time <= latestTime { time = own }
        let length = following == nil ? nil : step.map { $0.multiplied(by: Rational(Int32(place.length), 4)) }
        return .picture(picture, time: time, duration: length ?? neighbourhood.end.map { $0 - time })
    }

    /// Whether the fields of a frame do not belong together, as the frame after it shows. After an edit, the frame before shows
    /// nothing: fields of any kind fit each other better.
    private func isSplit(_ neighbourhood: Neighbourhood) -> Bool {
        guard let next = neighbourhood.next.first else { return false }
        let shown = FieldMeasurement(of: neighbourhood.current.buffer, after: next.buffer, context: context)
        return shown.isSplit
    }
}
