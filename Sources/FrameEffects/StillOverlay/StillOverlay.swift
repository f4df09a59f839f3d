import FrameCore
import Motion

/// Parameters of the share of the ground in a sample of an overlay. Differences are in 8-bit grey levels. The values were
/// chosen by hand, November 2026.
private enum ShareParameters {
    /// Difference from the ground up to which a sample shows nothing else.
    static let ground = 10
    /// Difference of both frames up to which a sample shows nothing of the ground; an eighth of the ground's is added.
    static let still = 8
    /// Difference of the ground below which the share cannot be told.
    static let telling = 8
    /// Range of differences above ``still`` in which a sample over an unknown ground turns from overlay to ground.
    static let range = 16
    /// Difference of both frames from which a sample beside an overlay is taken as ground if nothing else shows it.
    static let seen = 24
}

/// What stands still in two frames while the ground moves behind it, such as subtitles or a logo, and both frames without
/// it.
///
/// A frame between the two is made from the frames without it; then ``write(to:phase:)`` puts it back.
struct StillOverlay {
    /// Both frames as they are.
    let originals: (a: ReferenceFrame, b: ReferenceFrame)
    /// Both frames without the overlay.
    let a: ReferenceFrame
    let b: ReferenceFrame
    /// The motion of the ground.
    let flow: OpticalFlow
    /// The overlay in luma and, if there are chroma planes of another size, in those.
    private let grids: [OverlayGrid]

    /// Looks for an overlay; nil if there is none.
    ///
    /// - Parameters:
    ///   - previous: the overlay in the pair that ends with `a`: its second frame without the overlay is known.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` if memory cannot be allocated.
    init?(
        _ a: ReferenceFrame, _ b: ReferenceFrame, flow: OpticalFlow, previous: StillOverlay?, context: ExecutionContext
    ) throws(FrameError) {
        let area = PictureArea(a.pyramid.levels[0], b.pyramid.levels[0])
        let ground = GroundMotion(flow.forward, area: area)
        let search = OverlaySearch(
            edges: StillEdges(a.pyramid.levels[0], b.pyramid.levels[0]), ground: ground, field: flow.forward,
            area: area)
        guard let parts = search.parts() else { return nil }
        let format = a.buffer.format, luma = OverlayGrid(luma: parts)
        var grids = [luma]
        if format.colorPlaneCount > 1 {
            grids.append(
                OverlayGrid(
                    luma, width: a.planes[1].width, height: a.planes[1].height,
                    shift: (format.subsampling.horizontalShift, format.subsampling.verticalShift)))
        }
        let moves = flow.withoutOverlay(luma, ground)
        let known = previous.map { ($0.b.planes, $0.grids.map(\.states.b)) }
        let first = OverlayRemoval(picture: a.buffer, other: b, motion: moves.forward, known: known, context: context)
        let isSeen = Self.moving(search, parts)
        first.find(luma, into: luma.states.a, isSeen: isSeen) { parts[$0, $1] != OverlayPart.none && !isSeen($0, $1) }
        if grids.count > 1 { grids[1].takeStates(false, of: luma) }
        let cleanA = try ReferenceFrame(
            first.ground(grids, grids.map(\.states.a)), resamples: true, context: context)
        let second = OverlayRemoval(
            picture: b.buffer, other: cleanA, motion: moves.backward, known: nil, context: context)
        second.find(luma, into: luma.states.b, isSeen: isSeen) { luma.states.a[$0, $1] == GroundState.guessed }
        if grids.count > 1 { grids[1].takeStates(true, of: luma) }
        let cleanB = try ReferenceFrame(
            second.ground(grids, grids.map(\.states.b)), resamples: true, context: context)
        (originals, self.a, self.b, self.flow, self.grids) = ((a, b), cleanA, cleanB, moves, grids)
        setShares(format.sampleType, parts, format)
        if grids.count > 1 { grids[1].takeShares(of: luma) }
    }

    /// Tells whether a sample beside the overlay clearly moves.
    private static func moving(_ search: OverlaySearch, _ parts: Buffer2D<UInt8>) -> (Int, Int) -> Bool {
        let a = search.edges.a, b = search.edges.b
        return { x, y in
            parts[x, y] == OverlayPart.rim
                && abs(Int(a.bytes[y * a.stride + x]) - Int(b.bytes[y * b.stride + x])) >= ShareParameters.seen
        }
    }

    /// Puts the overlay onto a frame at a phase that was made from the frames without it.
    func write(to picture: inout PixelBuffer, phase: Float) throws(FrameError) {
        let format = picture.format
        try picture.withMutablePlanes { planes throws(FrameError) in
            for index in 0..<format.colorPlaneCount {
                write(format.sampleType, planes[index], index, phase, format)
            }
        }
    }

    /// Whether this is the overlay of a pair of frames.
    func isOfPair(_ a: PixelBuffer, _ b: PixelBuffer) -> Bool {
        originals.a.buffer.hasSameSamples(as: a) && originals.b.buffer.hasSameSamples(as: b)
    }

    private func rows<Sample>(_: Sample.Type, _ index: Int, _ y: Int) -> (
        a: UnsafePointer<Sample>, b: UnsafePointer<Sample>, groundA: UnsafePointer<Sample>,
        groundB: UnsafePointer<Sample>
    ) {
        func row(_ frame: ReferenceFrame) -> UnsafePointer<Sample> {
            UnsafePointer(frame.planes[index].row(y).assumingMemoryBound(to: Sample.self))
        }
        return (row(originals.a), row(originals.b), row(a), row(b))
    }

    /// Tells the share of the ground in each luma sample from how much less both frames differ there than the ground.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func setShares<Sample: PixelSample>(
        _: Sample.Type, _ parts: Buffer2D<UInt8>, _ format: PixelFormat
    ) {
        typealias P = ShareParameters
        let grid = grids[0], depth = format.bitDepth - 8
        for run in grid.runs {
            let (a, b, groundA, groundB) = rows(Sample.self, 0, run.y)
            for x in run.columns {
                let difference = abs(Int(a[x]) - Int(b[x])), moved = abs(Int(groundA[x]) - Int(groundB[x]))
                let isAlike = (Int(a[x]) < Int(b[x])) == (Int(groundA[x]) < Int(groundB[x]))
                let excess = difference - P.still << depth
                let known = max(grid.states.a[x, run.y], grid.states.b[x, run.y]),
                    isHeld = parts[x, run.y] == OverlayPart.held
                let share: Int
                if excess <= moved / 8 {
                    share = 0
                } else if known == GroundState.guessed {
                    share = isHeld ? 0 : excess * 256 / (P.range << depth)
                } else if max(abs(Int(a[x]) - Int(groundA[x])), abs(Int(b[x]) - Int(groundB[x]))) <= P.ground << depth {
                    share = 256
                } else if moved < P.telling << depth || !isAlike {
                    share = isHeld ? 0 : excess * 256 / (P.range << depth)
                } else {
                    share = (isHeld ? excess : difference) * 256 / moved
                }
                grid.shares[x, run.y] = UInt16(min(max(share, 0), 256))
            }
        }
    }

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private func write<Sample: PixelSample>(
        _: Sample.Type, _ plane: MutablePlane, _ index: Int, _ phase: Float, _ format: PixelFormat
    ) {
        let grid = grids[min(index, grids.count - 1)], t = Int((phase * 1024).rounded()), maximum = format.maximumValue
        for run in grid.runs {
            let (a, b, groundA, groundB) = rows(Sample.self, index, run.y)
            let made = plane.row(run.y).assumingMemoryBound(to: Sample.self)
            for x in run.columns {
                let share = Int(grid.shares[x, run.y])
                if share == 256 { continue }
                let shown = (1024 - t) * Int(a[x]) + t * Int(b[x])
                let ground = (1024 - t) * Int(groundA[x]) + t * Int(groundB[x])
                let value = (256 * shown + share * (Int(made[x]) << 10 - ground) + 1 << 17) >> 18
                made[x] = Sample(truncatingIfNeeded: min(max(value, 0), Int(maximum)))
            }
        }
    }
}
