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
    ///   - previous: the field before.
    ///   - next: the field after.
    ///   - context: the threads and kernels to use.
    static func halfway(
        _ flow: OpticalFlow, from previous: FieldPicture, to next: FieldPicture, context: ExecutionContext
    ) -> (previous: FieldMotion, next: FieldMotion) {
        let motion = IntermediateFlow(
            flow, a: previous.reference.pyramid, b: next.reference.pyramid, phase: 0.5, hasAlternatives: false,
            context: context)
        let upsampling = MotionUpsampling(motion, context: context)
        return (
            FieldMotion(field: previous, upsampling: upsampling, scale: -halfScale, columns: motion.columns),
            FieldMotion(field: next, upsampling: upsampling, scale: halfScale, columns: motion.columns)
        )
    }

    /// Half of a vector.
    private static let halfScale: Int32 = 8192

    /// Creates the motion to a neighbouring field: half of that to the field beyond, which has the parity of the current one.
    ///
    /// - Parameters:
    ///   - field: the neighbouring field.
    ///   - motion: the motion from the current field to the one beyond.
    ///   - context: the threads and kernels to use.
    init(to field: FieldPicture, half motion: FlowField, context: ExecutionContext) {
        self.init(
            field: field, upsampling: MotionUpsampling(motion, context: context), scale: Self.halfScale,
            columns: motion.columns)
    }
}
