import FrameCore
import Motion

/// One plane of a field, and what is known about its missing rows.
struct MissingPlane {
    /// The plane of the field's picture.
    let bob: PaddedPlane
    let rows: FieldRows
    /// The same plane of the fields before and after.
    let fields: (PaddedPlane, PaddedPlane)
    /// From the previous and the next field along the motion between them, then along that of the field itself.
    private let predictions: [FieldPrediction]
    /// Which of the planes of the predictions it is.
    private let number: Int
    let isLuma: Bool

    /// Returns the planes of a field, luma first.
    /// - Throws: `FrameError` if memory cannot be allocated.
    static func planes(
        _ fields: FieldNeighbourhood, format: PixelFormat, context: ExecutionContext
    ) throws(FrameError) -> [MissingPlane] {
        let current = fields.current.reference.planes, between = fields.between
        let around = (between.previous.field.reference.planes, between.next.field.reference.planes)
        var planes: [MissingPlane] = []
        for group in format.planeGroups {
            let rows = FieldRows(parity: fields.current.parity, height: current[group.lowerBound].height)
            func prediction(_ motion: FieldMotion, keepsVertical: Bool = false) throws(FrameError) -> FieldPrediction {
                try FieldPrediction(
                    motion, planes: group, rows: rows, keepsVertical: keepsVertical, format: format, context: context)
            }
            var predictions = [
                try prediction(between.previous, keepsVertical: true),
                try prediction(between.next, keepsVertical: true),
            ]
            for (index, own) in [fields.own.previous, fields.own.next].enumerated() {
                // The network was trained with those where a field has no motion of its own.
                guard let own else {
                    predictions.append(predictions[index])
                    continue
                }
                predictions.append(try prediction(own))
            }
            for index in group {
                planes.append(
                    MissingPlane(
                        bob: current[index], rows: rows, fields: (around.0[index], around.1[index]),
                        predictions: predictions, number: index - group.lowerBound, isLuma: index == 0))
            }
        }
        return planes
    }

    /// The predictions of a missing row.
    func moved(_ row: Int) -> [UnsafePointer<UInt16>] { predictions.map { $0.row(row, plane: number) } }

    /// Vertical motion in a missing row, to the field before or after.
    func vertical(_ row: Int, _ prediction: Int) -> UnsafePointer<Int16> { predictions[prediction].vertical(row) }

    /// What the fields before and after show in a row of the plane.
    func shown(_ y: Int) -> [UnsafeRawPointer] {
        [UnsafeRawPointer(fields.0.row(y)), UnsafeRawPointer(fields.1.row(y))]
    }
}
