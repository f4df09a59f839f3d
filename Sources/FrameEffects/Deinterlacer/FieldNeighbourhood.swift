import FrameCore
import Motion

/// A field and the motion to those around it.
///
/// Fields of different parity never hold the same rows, so what is finer than a row of a field looks different in them, even
/// if it stands still. Fields of the same parity do. So only these are compared, and half of the motion between two of them
/// leads to the field in the middle.
struct FieldNeighbourhood {
    let current: FieldPicture
    /// The motion to the field before and to the one after, found between these two. At the ends of a scene there is only one
    /// of them, which stands for both.
    let between: (previous: FieldMotion, next: FieldMotion)
    /// The motion to the same fields, found between this field and those of its parity around it; nil at the ends of a scene.
    let own: (previous: FieldMotion?, next: FieldMotion?)
}

extension FieldMotion {
    /// Returns the motion to the fields before and after a field, halfway between them.
    ///
    /// - Parameters:
    ///   - flow: the motion between these two fields.
    ///   - current: the field.
    ///   - previous: the field before.
    ///   - next: the field after.
    ///   - context: the threads and kernels to use.
    static func halfway(
        _ flow: OpticalFlow, at current: FieldPicture, from previous: FieldPicture, to next: FieldPicture,
        context: ExecutionContext
    ) -> (previous: FieldMotion, next: FieldMotion) {
        let motion = IntermediateFlow(
            flow, a: previous.reference.pyramid, b: next.reference.pyramid, phase: 0.5, hasAlternatives: false,
            context: context)
        let half = HalfMotion(
            vx: motion.first.vx, vy: motion.first.vy, sideLog2: motion.sideLog2, level: motion.level)
        let neighbours = [half.neighbour(previous, -1), half.neighbour(next, 1)]
        guard let shake = FieldShake(of: current.reference.pyramid, neighbours, context: context) else {
            let upsampling = MotionUpsampling(motion, context: context)
            return (
                FieldMotion(field: previous, upsampling: upsampling, scale: -halfScale, columns: motion.columns),
                FieldMotion(field: next, upsampling: upsampling, scale: halfScale, columns: motion.columns)
            )
        }
        return (
            FieldMotion(to: previous, half.shaken(by: shake, -1), scale: -halfScale, context: context),
            FieldMotion(to: next, half.shaken(by: shake, 1), scale: halfScale, context: context)
        )
    }

    /// Half of a vector.
    private static let halfScale: Int32 = 8192

    /// Creates the motion to a neighbouring field: half of that to the field beyond, which has the parity of the current one.
    ///
    /// - Parameters:
    ///   - field: the neighbouring field.
    ///   - motion: the motion from the current field to the one beyond.
    ///   - current: the field.
    ///   - context: the threads and kernels to use.
    init(to field: FieldPicture, half motion: FlowField, from current: FieldPicture, context: ExecutionContext) {
        let (vx, vy) = motion.components
        let half = HalfMotion(vx: vx, vy: vy, sideLog2: motion.cellSide.trailingZeroBitCount, level: motion.level)
        let shake = FieldShake(of: current.reference.pyramid, [half.neighbour(field, 1)], context: context)
        self.init(
            to: field, shake.map { half.shaken(by: $0, 1) } ?? half, scale: Self.halfScale, context: context)
    }

    private init(to field: FieldPicture, _ half: HalfMotion, scale: Int32, context: ExecutionContext) {
        self.init(
            field: field,
            upsampling: MotionUpsampling(
                half.vx, half.vy, sideLog2: half.sideLog2, level: half.level, context: context),
            scale: scale, columns: half.vx.columns)
    }
}

/// Motion between two fields of the same parity, of which half leads to the field between them, unless this one shakes.
struct HalfMotion {
    /// The components of the vectors, in 1/32 sample of the level.
    let vx: Buffer2D<Int16>
    let vy: Buffer2D<Int16>
    /// log2 of the side of a cell in luma samples.
    let sideLog2: Int
    /// The pyramid level of the vectors.
    let level: Int

    /// Returns the whole vector at a place in the picture, in luma samples.
    func vector(x: Int, y: Int) -> SIMD2<Float> {
        let index = min(y >> sideLog2, vx.rows - 1) * vx.columns + min(x >> sideLog2, vx.columns - 1)
        return SIMD2(Float(vx.base[index]), Float(vy.base[index])) * (Float(1 << level) / 32)
    }

    /// Returns a field to which half of the motion leads, forwards (1) or backwards (−1).
    fileprivate func neighbour(_ field: FieldPicture, _ sign: Float) -> ShakeNeighbour {
        ShakeNeighbour(pyramid: field.reference.pyramid, motion: self, part: sign / 2)
    }

    /// Returns the motion of which half, forwards (1) or backwards (−1), leads from a field that shakes to its neighbour.
    fileprivate func shaken(by shake: FieldShake, _ sign: Float) -> HalfMotion {
        let x = Buffer2D<Int16>(columns: vx.columns, rows: vx.rows)
        let y = Buffer2D<Int16>(columns: vx.columns, rows: vx.rows)
        let scale = 2 * sign * 32 / Float(1 << level)
        func centre(_ cell: Int) -> Int { cell << sideLog2 + (1 << sideLog2) / 2 }
        for row in 0..<vx.rows {
            for column in 0..<vx.columns {
                let change = (shake.at(x: centre(column), y: centre(row)) * scale).rounded(.toNearestOrAwayFromZero)
                x[column, row] = Int16(clamping: Int32(vx[column, row]) + Int32(change.x))
                y[column, row] = Int16(clamping: Int32(vy[column, row]) + Int32(change.y))
            }
        }
        return HalfMotion(vx: x, vy: y, sideLog2: sideLog2, level: level)
    }
}
