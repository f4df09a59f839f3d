import Kernels
import Testing

/// The block search of stripes of cells, with and without each kind of predictor.
@Suite struct BlockSearchTests {
    private static let reach = 38

    /// The planes and predictors of a search, and the parameters that vary.
    private struct Trial {
        let columns: Int
        let rows: Int
        let source: GuardedPlane<UInt8>
        let target: GuardedPlane<UInt8>
        let size: (width: Int, height: Int)
        let coarse: [vfx_motion_vector]?
        let opposite: [vfx_motion_vector]?
        let previous: [vfx_motion_vector]?
        let exhaustiveRadius: Int
        let smoothness: Int
        let thresholds: (descent: Int, retry: Int)
        let retryStep: Int

        init(_ memory: (GuardedMemory, GuardedMemory), _ random: inout Random) {
            let width = random.in(16...100), height = random.in(16...70)
            let columns = (width + 3) / 4, rows = (height + 3) / 4, reach = BlockSearchTests.reach
            // Blocks extend two samples beyond the cells.
            source = GuardedPlane(memory.0, columns: -2..<4 * columns + 2, rows: -2..<4 * rows + 2, random: &random)
            target = GuardedPlane(
                memory.1, columns: -reach..<width + reach + 8, rows: -reach..<height + reach, random: &random)
            let pattern = Pattern.any(&random)
            source.fill(pattern, maximum: 255, random: &random)
            target.fill(random.in(0...1) == 0 ? pattern : Pattern.any(&random), maximum: 255, random: &random)
            let span = [20, 300, 2000, 32256][random.in(0...3)]
            func vectors(_ count: Int) -> [vfx_motion_vector] {
                let common = (random.in(-span...span), random.in(-span...span))
                return (0..<count).map { _ in
                    // Many cells share a motion, as in real fields.
                    let v = random.in(0...2) > 0 ? common : (random.in(-span...span), random.in(-span...span))
                    return vfx_motion_vector(x: Int16(v.0), y: Int16(v.1))
                }
            }
            let coarseCount = (columns + 1) / 2 * ((rows + 1) / 2)
            coarse = random.in(0...3) > 0 ? vectors(coarseCount) : nil
            opposite = coarse != nil && random.in(0...3) > 0 ? vectors(coarseCount) : nil
            previous = random.in(0...1) == 0 ? vectors(columns * rows) : nil
            self.columns = columns
            self.rows = rows
            size = (width, height)
            exhaustiveRadius = [0, 0, 3, 8][random.in(0...3)]
            smoothness = [0, 8, 16, 2500][random.in(0...3)]
            thresholds = [(0, 0), (96, 512), (96, 16320), (16320, 16320)][random.in(0...3)]
            retryStep = [1, 2, 4, 8][random.in(0...3)]
        }

        /// Searches all rows in stripes of `stripeRows`; returns the vectors and the costs.
        func run(_ kernels: vfx_kernel_table, stripeRows: Int) -> (Destination<Int16>, Destination<UInt32>) {
            var vectors = Destination<Int16>(width: 2 * columns * rows)
            var costs = Destination<UInt32>(width: columns * rows)
            func withOptional(
                _ values: [vfx_motion_vector]?, _ body: (UnsafePointer<vfx_motion_vector>?) -> Void
            ) {
                guard let values else { return body(nil) }
                values.withUnsafeBufferPointer { body($0.baseAddress) }
            }
            vectors.write { v, _ in
                costs.write { c, _ in
                    withOptional(coarse) { coarse in
                        withOptional(opposite) { opposite in
                            withOptional(previous) { previous in
                                var search = vfx_block_search(
                                    source: source.read, target: target.read, source_stride: source.stride,
                                    target_stride: target.stride, width: Int32(size.width),
                                    height: Int32(size.height), columns: Int32(columns),
                                    vectors: UnsafeMutableRawPointer(v).assumingMemoryBound(to: vfx_motion_vector.self),
                                    costs: c, coarse: coarse, opposite: opposite, previous: previous,
                                    coarse_columns: coarse == nil ? 0 : Int32((columns + 1) / 2),
                                    coarse_rows: coarse == nil ? 0 : Int32((rows + 1) / 2),
                                    sad_8x8_x4: kernels.sad_8x8_x4, reach: Int32(BlockSearchTests.reach),
                                    displacement_limit: 1000, smoothness: Int32(smoothness), deviation_limit: 16,
                                    exhaustive_radius: Int32(exhaustiveRadius),
                                    descent_threshold: UInt32(thresholds.descent),
                                    retry_threshold: UInt32(thresholds.retry), descent_steps: 6, retry_radius: 6,
                                    retry_step: Int32(retryStep), retry_descent_steps: 4, backward_descent_steps: 2)
                                for first in stride(from: 0, to: rows, by: stripeRows) {
                                    kernels.block_search_stripe(
                                        &search, Int32(first), Int32(min(rows, first + stripeRows)))
                                }
                            }
                        }
                    }
                }
            }
            return (vectors, costs)
        }
    }

    @Test(arguments: KernelLevel.with("block_search_stripe"), seeds) func stripes(_ level: KernelLevel, _ seed: UInt64)
        throws
    {
        let tables = try level.tables(for: "block_search_stripe")
        var random = Random(seed: seed)
        let memory = (GuardedMemory(size: 1 << 17), GuardedMemory(size: 1 << 17))
        for round in 0..<150 {
            let trial = Trial(memory, &random), stripeRows = random.in(1...8)
            let wanted = trial.run(tables.c, stripeRows: stripeRows)
            #expect(trial.run(tables.level, stripeRows: stripeRows) == wanted, "round \(round), seed \(seed)")
        }
    }

    /// A plane that is shifted as a whole is found shifted, with no difference, wherever all blocks can be seen.
    @Test(arguments: [VFX_CPU_C, VFX_CPU_SSE41, VFX_CPU_AVX2].filter(KernelLevel.isAvailable))
    func shift(_ level: vfx_cpu_level) {
        var random = Random(seed: 3)
        let width = 64, height = 48, stride = 256, rows = 160, origin = 56 * stride + 64
        let plane = (0..<stride * rows).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var vectors = [vfx_motion_vector](repeating: vfx_motion_vector(), count: 16 * 12)
        var costs = [UInt32](repeating: 1, count: 16 * 12)
        let kernels = vfx_kernels_make(level)
        plane.withUnsafeBufferPointer { plane in
            vectors.withUnsafeMutableBufferPointer { vectors in
                costs.withUnsafeMutableBufferPointer { costs in
                    guard let p = plane.baseAddress, let v = vectors.baseAddress, let c = costs.baseAddress else {
                        return
                    }
                    var search = vfx_block_search(
                        source: p + origin + 3 * stride - 5, target: p + origin, source_stride: stride,
                        target_stride: stride, width: Int32(width), height: Int32(height), columns: 16, vectors: v,
                        costs: c, coarse: nil, opposite: nil, previous: nil, coarse_columns: 0, coarse_rows: 0,
                        sad_8x8_x4: kernels.sad_8x8_x4, reach: 38, displacement_limit: 1000, smoothness: 8,
                        deviation_limit: 16, exhaustive_radius: 6, descent_threshold: 96, retry_threshold: 512,
                        descent_steps: 6, retry_radius: 6, retry_step: 2, retry_descent_steps: 4,
                        backward_descent_steps: 2)
                    kernels.block_search_stripe(&search, 0, 12)
                }
            }
        }
        #expect(vectors.allSatisfy { $0.x == -5 * 32 && $0.y == 3 * 32 })
        #expect(costs.allSatisfy { $0 == 0 })
    }
}
