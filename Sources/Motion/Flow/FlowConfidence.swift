package import FrameCore
import Kernels

/// Parameters of confidence and occlusion. Values without a source were chosen by hand, November 2026.
private enum ConsistencyParameters {
    /// Square of the consistency error, in pixels², that is allowed without motion. Sundaram, Brox and Keutzer 2010.
    static let allowedError: Float = 0.5
    /// Square of the consistency error allowed in addition, as a share of the square of the motion. Sundaram, Brox and
    /// Keutzer 2010 allow 0.01 of each direction's motion; only one of them is measured here.
    static let allowedShare: Float = 0.02
    /// Mean difference of the matched block, in grey levels, that halves the confidence.
    static let halfResidual: Float = 12
    /// Coverage of a cell, in 1/16384, from which it counts as fully covered: half the cell.
    static let fullCoverage: Float = 8192
    /// Occlusion of an inconsistent cell that motion vectors of the other frame reach, 0…1.
    static let coveredOcclusion: Float = 0.4
    /// Amount added to the occlusion of an inconsistent cell that no motion vector of the other frame reaches, 0…1.
    static let uncoveredOcclusion: Float = 0.6
    /// Cell rows that are computed as one unit.
    static let bandRows = 16
}

/// The confidence and occlusion of a field's cells, 0…255 each.
package struct FlowConfidence: Sendable {
    /// The confidence of each cell; 255 for a vector that is certain.
    package let confidence: Buffer2D<UInt8>
    /// The occlusion of each cell; 255 for a cell that the other frame does not show.
    package let occlusion: Buffer2D<UInt8>

    init(confidence: Buffer2D<UInt8>, occlusion: Buffer2D<UInt8>) {
        self.confidence = confidence
        self.occlusion = occlusion
    }

    /// Creates maps with no confidence and no occlusion.
    init(columns: Int, rows: Int) {
        confidence = Buffer2D(columns: columns, rows: rows, filledWith: 0)
        occlusion = Buffer2D(columns: columns, rows: rows, filledWith: 0)
    }

    /// Computes both maps from the forward–backward consistency of a field.
    ///
    /// A cell is inconsistent when the square of its consistency error exceeds a constant plus a share of its squared
    /// motion (N. Sundaram, T. Brox and K. Keutzer, Dense Point Trajectories by GPU-accelerated Large Displacement
    /// Optical Flow, ECCV 2010). An inconsistent cell counts as more occluded if no motion vector of the other frame
    /// reaches it. A cell that leaves the frame is occluded.
    package init(_ evidence: Evidence) {
        let vectors = evidence.vectors, costs = evidence.costs, errors = evidence.consistencyErrors
        let columns = vectors.columns, rows = vectors.rows
        let confidence = Buffer2D<UInt8>(columns: columns, rows: rows, filledWith: 0)
        let occlusion = Buffer2D<UInt8>(columns: columns, rows: rows, filledWith: 0)
        let coverage = evidence.back.coverage()
        let unit = Float(1 << evidence.level) / Float(1 << MotionVector.fractionBits)
        let limitX = Int32(columns) &* 128, limitY = Int32(rows) &* 128
        parallelBands(rows, height: ConsistencyParameters.bandRows, threads: evidence.context.threads) { band in
            for y in band {
                for x in 0..<columns {
                    let v = vectors[x, y]
                    let vx = Float(v.x) * unit, vy = Float(v.y) * unit, error = Float(errors[x, y]) * unit
                    let q =
                        error * error
                        / (ConsistencyParameters.allowedError
                            + ConsistencyParameters.allowedShare * (vx * vx + vy * vy))
                    let residual = Float(costs[x, y]) * (1 / (64 * ConsistencyParameters.halfResidual))
                    confidence[x, y] = UInt8(255 / ((1 + q) * (1 + residual * residual)) + 0.5)
                    // In 1/128 cells from the frame's corner.
                    let tx = Int32(x) &* 128 &+ 64 &+ Int32(v.x), ty = Int32(y) &* 128 &+ 64 &+ Int32(v.y)
                    if tx < 0 || ty < 0 || tx > limitX || ty > limitY {
                        occlusion[x, y] = 255
                    } else {
                        let inconsistent = q * q / (1 + q * q)
                        let uncovered = max(0, 1 - Float(coverage[x, y]) * (1 / ConsistencyParameters.fullCoverage))
                        let occluded =
                            ConsistencyParameters.coveredOcclusion
                            + ConsistencyParameters.uncoveredOcclusion * uncovered
                        occlusion[x, y] = UInt8(255 * inconsistent * occluded + 0.5)
                    }
                }
            }
        }
        self.confidence = confidence
        self.occlusion = occlusion
    }
}

extension FlowConfidence {
    /// The input of the computation of confidence and occlusion.
    package struct Evidence: Sendable {
        /// The vectors as matched, before occluded cells were filled.
        let vectors: Buffer2D<MotionVector>
        /// Sums of absolute differences of the matched blocks.
        let costs: Buffer2D<UInt32>
        /// The consistency errors of the field (see ``MotionVectorField/consistencyError(with:context:)``).
        let consistencyErrors: Buffer2D<UInt16>
        /// The vectors of the other frame, as matched.
        let back: Buffer2D<MotionVector>
        /// The pyramid level of the fields.
        let level: Int
        let context: ExecutionContext

        package init(
            _ field: MotionVectorField, consistencyErrors: Buffer2D<UInt16>, back: MotionVectorField, level: Int,
            context: ExecutionContext
        ) {
            vectors = field.vectors
            costs = field.costs
            self.consistencyErrors = consistencyErrors
            self.back = back.vectors
            self.level = level
            self.context = context
        }
    }
}

/// The confidence and occlusion of a field, computed when first read, since many effects never read them.
///
/// Until then the evidence is kept. It adds only the vectors as matched to what the field holds anyway: 4 bytes per
/// cell, shared with the opposite direction. The first read replaces the evidence with the result, 2 bytes per cell.
/// Copies of a field share one result.
package final class LazyFlowConfidence: Sendable {
    private enum State: Sendable {
        case evidence(FlowConfidence.Evidence)
        case computed(FlowConfidence)
    }

    private let state: Lock<State>

    package init(_ evidence: FlowConfidence.Evidence) { state = Lock(.evidence(evidence)) }

    init(_ value: FlowConfidence) { state = Lock(.computed(value)) }

    /// The maps. Every reader gets the same buffers, at the same address for the lifetime of this object.
    package var value: FlowConfidence {
        state.withLock { state in
            switch state {
            case .computed(let value): return value
            case .evidence(let evidence):
                let value = FlowConfidence(evidence)
                state = .computed(value)
                return value
            }
        }
    }

    /// Whether the maps have been computed and the evidence released.
    package var isComputed: Bool {
        state.withLock { if case .computed = $0 { true } else { false } }
    }
}

extension MotionVectorField {
    /// Returns the forward–backward consistency error of each cell in 1/32 sample of the fields' level:
    /// `|v(x) + w(x + v(x))|`, with w interpolated between cells.
    package func consistencyError(with back: MotionVectorField, context: ExecutionContext) -> Buffer2D<UInt16> {
        let result = Buffer2D<UInt16>(columns: columns, rows: rows)
        let kernel = context.kernels.pointee.flow_consistency_row
        parallelBands(rows, height: ConsistencyParameters.bandRows, threads: context.threads) { band in
            for y in band {
                kernel(
                    kernelVectors + y * columns, back.kernelVectors, Int32(columns), Int32(rows), Int32(y),
                    result.base + y * columns)
            }
        }
        return result
    }
}

extension Buffer2D<MotionVector> {
    /// Returns how much of each cell of the other frame this field's cells cover, in 1/16384. Coverage is capped at the
    /// whole cell, since in flow from other sources any number of cells can move onto the same cell.
    fileprivate func coverage() -> Buffer2D<Int32> {
        let result = Buffer2D<Int32>(columns: columns, rows: rows, filledWith: 0)
        func add(_ x: Int, _ y: Int, _ part: Int) {
            guard x >= 0 && x < columns && y >= 0 && y < rows else { return }
            result[x, y] = min(result[x, y] &+ Int32(truncatingIfNeeded: part), 1 << 14)
        }
        for y in 0..<rows {
            for x in 0..<columns {
                let v = self[x, y]
                let px = x * 128 + Int(v.x), py = y * 128 + Int(v.y)
                let cx = px >> 7, cy = py >> 7, fx = px & 127, fy = py & 127
                add(cx, cy, (128 - fx) * (128 - fy))
                add(cx + 1, cy, fx * (128 - fy))
                add(cx, cy + 1, (128 - fx) * fy)
                add(cx + 1, cy + 1, fx * fy)
            }
        }
        return result
    }
}
