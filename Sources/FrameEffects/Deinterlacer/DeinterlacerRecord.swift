package import FrameCore
package import Motion

/// What the network of the deinterlacer sees of a field, for its training.
package enum DeinterlacerRecord {
    /// Returns the parity as a 32-bit integer; luma of the field's picture; the missing rows as the fields before and after
    /// hold them; the predictions of these rows from both along the motion between them, then along that of the field
    /// itself, 16 bits each; and the vertical motion of the first two at every second column, 16 bits each. All numbers are
    /// little-endian.
    ///
    /// - Parameters:
    ///   - fields: five successive fields, of which the record is that of the third, each as the picture it belongs to and its
    ///     parity; 8 bits deep, of a width that is even and a height that is a multiple of four.
    ///   - effort: the work to do for the motion.
    ///   - context: the threads and kernels to use.
    /// - Throws: `FrameError` if memory cannot be allocated.
    package static func bytes(
        _ fields: [(frame: PixelBuffer, parity: Int)], effort: MotionEffort, context: ExecutionContext
    ) throws(FrameError) -> [UInt8] {
        var pictures: [FieldPicture] = []
        for field in fields {
            pictures.append(try FieldPicture(field.frame, parity: field.parity, context: context))
        }
        let current = pictures[2], size = (current.frame.width, current.frame.height)
        func flow(_ a: Int, _ b: Int) throws(FrameError) -> OpticalFlow {
            var tracker = PairTracker(width: size.0, height: size.1, effort: effort, resamples: true, context: context)
            return try tracker.flow(from: pictures[a].reference, to: pictures[b].reference, .none)
        }
        let between = FieldMotion.halfway(
            try flow(1, 3), at: current, from: pictures[1], to: pictures[3], context: context)
        let own = (
            FieldMotion(to: pictures[1], half: try flow(0, 2).backward, from: current, context: context),
            FieldMotion(to: pictures[3], half: try flow(2, 4).forward, from: current, context: context)
        )
        let luma = try MissingPlane.planes(
            FieldNeighbourhood(current: current, between: between, own: own), format: current.frame.format,
            context: context)[0]
        var file = ByteWriter(capacity: 8 * size.0 * size.1)
        file.little(Int32(current.parity))
        func add(_ row: UnsafeRawPointer, _ count: Int) {
            file.bytes += UnsafeRawBufferPointer(start: row, count: count)
        }
        for y in 0..<size.1 { add(luma.bob.row(y), size.0) }
        let numbers = 0..<luma.rows.missingCount
        for field in [luma.fields.0, luma.fields.1] {
            for number in numbers { add(field.row(luma.rows.missing(number)), size.0) }
        }
        for prediction in 0..<4 { for number in numbers { add(luma.moved(number)[prediction], 2 * size.0) } }
        for prediction in 0..<2 {
            for number in numbers {
                let row = luma.vertical(number, prediction)
                for x in 0..<size.0 / 2 { file.little(row[2 * x]) }
            }
        }
        return file.bytes
    }
}
