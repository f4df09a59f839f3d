import FrameCore
import Motion
import TestSupport

/// Distances between estimated and true vectors, in pixels of the full-size picture.
struct EndPointErrors {
    private let sorted: [Float]

    var count: Int { sorted.count }
    var mean: Float { sorted.reduce(0, +) / Float(max(1, sorted.count)) }
    func quantile(_ share: Float) -> Float {
        sorted.isEmpty ? .infinity : sorted[min(sorted.count - 1, Int(Float(sorted.count) * share))]
    }

    /// - Parameter truth: returns the true motion at a position in full-size pixels; nil excludes the cell.
    init(_ field: MotionVectorField, level: Int, truth: (Float, Float) -> SIMD2<Float>?) {
        let scale = Float(1 << level)
        var errors: [Float] = []
        for y in 0..<field.rows {
            for x in 0..<field.columns {
                func centre(_ cell: Int) -> Float { Float(4 * cell + 2) * scale - 0.5 }
                guard let wanted = truth(centre(x), centre(y)) else { continue }
                let v = field.vectors[x, y]
                let e = SIMD2(Float(v.x), Float(v.y)) * (scale / 32) - wanted
                errors.append((e.x * e.x + e.y * e.y).squareRoot())
            }
        }
        sorted = errors.sorted()
    }
}

/// The effort that the engine uses for small pictures at `quality`.
let fine = MotionEffort(finestLevel: 0, refinements: 5, coarseRefinements: 8)
/// The effort that it uses for larger pictures at `normal`.
let quick = MotionEffort(finestLevel: 1, refinements: 3, coarseRefinements: 8)

func estimate(
    _ a: PixelBuffer, _ b: PixelBuffer, _ effort: MotionEffort = fine, threads: Int = 2, previous: MotionPair? = nil
) throws -> MotionPair {
    let first = try LumaPyramid(a, context: .init(threads: threads))
    var second = try LumaPyramid(b, context: .init(threads: threads))
    if let change = BrightnessChange(from: first, to: second) {
        second = try change.undone(in: second, context: .init(threads: threads))
    }
    return MotionEstimator(effort: effort, context: .init(threads: threads)).estimate(first, second, previous: previous)
}

/// Estimates the motion of a scene from time 0 to 1.
func estimate(_ scene: MovingScene, width: Int, height: Int, _ effort: MotionEffort = fine) throws -> MotionPair {
    let gray = try PixelFormat(subsampling: .monochrome, bitDepth: 8)
    return try estimate(
        scene.picture(0, gray, width: width, height: height), scene.picture(1, gray, width: width, height: height),
        effort)
}

extension MotionVectorField {
    func hasSameMotion(as other: MotionVectorField) -> Bool {
        columns == other.columns && rows == other.rows
            && (0..<rows).allSatisfy { y in
                (0..<columns).allSatisfy {
                    vectors[$0, y] == other.vectors[$0, y] && costs[$0, y] == other.costs[$0, y]
                }
            }
    }

    /// Whether no cell moves. Costs may be above zero where blocks extend beyond the picture.
    var isStill: Bool {
        (0..<rows).allSatisfy { y in (0..<columns).allSatisfy { vectors[$0, y] == .zero } }
    }
}
