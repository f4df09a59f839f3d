package import FrameCore
import Kernels

/// Parameters of the weighted median. The values were chosen by hand, November 2026, by the error of drawn flow and of
/// interpolated frames of clips that no benchmark uses.
private enum MedianParameters {
    /// Distance between motions, in 1/32 sample, up to which a neighbourhood is smooth and keeps its motion: half a sample.
    static let smoothDistance: Int32 = 16
    /// Consistency error at which a cell has half the trust, in 1/32 sample: half a sample.
    static let halfError: Float = 16
    /// Mean absolute difference of a match at which a cell has half the trust, in grey levels.
    static let halfDifference: Float = 6
    /// Difference of brightness, in grey levels, from which cells have no say.
    static let brightnessReach = 36
    /// Weights of the cells of a neighbourhood, by row. The cell itself counts as much as four of its nearest neighbours.
    static let places: [UInt8] = [
        16, 30, 37, 30, 16,
        30, 56, 69, 56, 30,
        37, 69, 255, 69, 37,
        30, 56, 69, 56, 30,
        16, 30, 37, 30, 16,
    ]
}

/// A weighted median of motion, which moves its edges to where the brightness changes.
///
/// A block at the outline of an object shows both the object and what is behind it, and matches one or the other; so the
/// edges of estimated motion are ragged and lie up to half a block beside those of the object. Each cell near an edge takes
/// the median of the 5×5 cells round it, of which those that look alike, match well and are consistent have more weight (D.
/// Sun, S. Roth and M. J. Black, *A quantitative analysis of current practices in optical flow estimation and the
/// principles behind them*, IJCV 2014).
private struct FlowMedian {
    let field: MotionVectorField
    let brightness: Buffer2D<UInt8>
    let context: ExecutionContext
    private let trust: Buffer2D<UInt8>
    private let brightnessWeights: [UInt8]

    init(
        _ field: MotionVectorField, consistencyErrors: Buffer2D<UInt16>, brightness: Buffer2D<UInt8>,
        context: ExecutionContext
    ) {
        typealias P = MedianParameters
        (self.field, self.brightness, self.context) = (field, brightness, context)
        let trust = Buffer2D<UInt8>(columns: field.columns, rows: field.rows)
        self.trust = trust
        let columns = field.columns
        parallelBands(field.rows, height: 16, threads: context.threads) { rows in
            for i in rows.lowerBound * columns..<rows.upperBound * columns {
                let error = Float(consistencyErrors.base[i]) / P.halfError
                let difference = Float(field.costs.base[i]) / (64 * P.halfDifference)
                trust.base[i] = UInt8(max(255 / ((1 + error * error) * (1 + difference * difference)), 1))
            }
        }
        // Tukey's biweight.
        brightnessWeights = (0..<256).map { difference in
            guard difference < P.brightnessReach else { return 0 }
            let share = Float(difference) / Float(P.brightnessReach), kept = 1 - share * share
            return UInt8(255 * kept * kept)
        }
    }

    /// Returns the filtered field, with the costs of the field.
    func filtered() -> MotionVectorField {
        let result = Buffer2D<MotionVector>(columns: field.columns, rows: field.rows)
        parallelBands(field.rows, height: 8, threads: context.threads) { rows in
            brightnessWeights.withUnsafeBufferPointer { weights in
                MedianParameters.places.withUnsafeBufferPointer { places in
                    guard let weights = weights.baseAddress, let places = places.baseAddress else { return }
                    var median = vfx_flow_median(
                        vectors: field.kernelVectors, brightness: brightness.base, trust: trust.base,
                        columns: Int32(field.columns), rows: Int32(field.rows),
                        smooth_distance: MedianParameters.smoothDistance, brightness_weight: weights,
                        place_weight: places)
                    for y in rows {
                        context.kernels.pointee.flow_median_row(
                            &median, Int32(y), result.kernelVectors + y * field.columns)
                    }
                }
            }
        }
        return MotionVectorField(vectors: result, costs: field.costs)
    }
}

extension MotionPair {
    /// Returns the pair with the edges of its motion moved to those of the picture. The fields of the coarser levels and
    /// those that serve as predictors stay as they are.
    ///
    /// - Parameters:
    ///   - a: the pyramid of the first frame.
    ///   - b: the pyramid of the second frame.
    ///   - context: the threads and kernels to use.
    package func edgesFiltered(_ a: LumaPyramid, _ b: LumaPyramid, context: ExecutionContext) -> MotionPair {
        func filtered(
            _ field: MotionVectorField, _ opposite: MotionVectorField, _ pyramid: LumaPyramid
        ) -> MotionVectorField {
            FlowMedian(
                field, consistencyErrors: field.consistencyError(with: opposite, context: context),
                brightness: pyramid.cellBrightness(level: level, columns: field.columns, rows: field.rows, border: 0),
                context: context
            ).filtered()
        }
        return MotionPair(
            level: level, forward: filtered(forward, backward, a), backward: filtered(backward, forward, b),
            forwardLevels: forwardLevels, backwardLevels: backwardLevels)
    }
}
