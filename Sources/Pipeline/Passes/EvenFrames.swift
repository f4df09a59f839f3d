internal import FrameCore

/// Writes frames at a constant rate: each at the nearest time of a grid, where it is shown until the next one comes. A frame
/// whose place is taken is left out.
struct EvenFrames {
    private var grid: PictureGrid
    /// The latest frame, and its place in the grid.
    private var last: (frame: Frame, place: Int)?
    private var limit = OutputFrameLimit()
    /// The number of frames left out.
    private(set) var leftOut = 0
    /// The number of frames that are not shown at their own time.
    private(set) var moved = 0

    init(_ grid: PictureGrid) { self.grid = grid }

    /// Lays the first time of the grid, unless it is known.
    mutating func begin(at time: MediaTime) { grid.first = grid.first ?? time }

    /// Shows a frame.
    ///
    /// - Parameters:
    ///   - neighbourhood: the frame and those around it.
    ///   - time: when it is due.
    ///   - singleData: what belongs to it and to earlier frames that were left out.
    ///   - output: where the frames go.
    /// - Throws: an error if too many frames would be missing before it, or if the output fails.
    mutating func show(
        _ neighbourhood: Neighbourhood, at time: MediaTime, _ singleData: inout SinglePictureData,
        _ output: EffectOutput
    ) throws {
        begin(at: time)
        let first = grid.first ?? time, grid = grid
        let place = grid.place(of: time, from: first), duration = MediaTime(ticks: 1, base: grid.step)
        // As many frames as the clip is long; see ``RateConversionPlan``.
        let end = neighbourhood.end.map { max(1, grid.place(of: $0, from: first)) } ?? .max
        guard place < end, last.map({ $0.place < place }) ?? true else {
            // Nothing is lost of a frame that would be shown after the end.
            if place < end { leftOut += 1 }
            if neighbourhood.following == nil { output.addToLastFrame(singleData.takeRest()) }
            return
        }
        if let last {
            let missing = PlannedFrames(count: place - last.place - 1) { index in
                PlannedFrame(
                    content: .source, time: grid.time(last.place + 1 + index, from: first), duration: duration)
            }
            try limit.take(missing, of: neighbourhood.index, at: time)
            for frame in missing {
                var repeated = last.frame.replacing(
                    buffer: last.frame.buffer, presentationTime: frame.time, duration: duration)
                repeated.sideData = repeated.sideData.forMadeFrames
                try output.write(repeated, .beforeCurrent)
            }
        }
        var shown = neighbourhood.current.replacing(
            buffer: neighbourhood.current.buffer, presentationTime: grid.time(place, from: first), duration: duration)
        if shown.presentationTime != neighbourhood.current.presentationTime { moved += 1 }
        singleData.move(to: &shown)
        last = (neighbourhood.current, place)
        try output.write(shown)
    }

    /// Passes over a frame before the first one that is shown.
    mutating func pass(_ neighbourhood: Neighbourhood, at time: MediaTime, _ singleData: inout SinglePictureData) {
        begin(at: time)
        let place = grid.place(of: time, from: grid.first ?? time)
        guard last.map({ $0.place < place }) ?? true else { return }
        last = (neighbourhood.current, place)
        singleData.removeAll()
    }
}
