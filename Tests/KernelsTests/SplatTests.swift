import Kernels
import Testing

/// Forward splatting of rows of vectors that land everywhere, also outside the rows and columns.
@Suite struct SplatTests {
    /// A field and the grids onto which it is splatted.
    private struct Trial {
        let columns: Int
        let rows: Int
        let band: Range<Int>
        let share: Int
        let isNegated: Bool
        private let vectors: [vfx_motion_vector]
        private let errors: [UInt16]
        private let costs: [UInt32]

        init(_ random: inout Random) {
            let columns = random.in(1...40), rows = random.in(1...12)
            let span = [3, 130, 900, 32256][random.in(0...3)], mostError = [5, 3000, 65535][random.in(0...2)]
            // Neighbours often share a motion, so that vectors agree.
            let common = (random.in(-span...span), random.in(-span...span)), spread = random.in(0...60)
            vectors = (0..<columns * rows).map { _ in
                random.in(0...3) == 0
                    ? vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
                    : vfx_motion_vector(
                        x: Int16(clamping: common.0 + random.in(-spread...spread)),
                        y: Int16(clamping: common.1 + random.in(-spread...spread)))
            }
            errors = (0..<columns * rows).map { _ in UInt16(random.in(0...mostError)) }
            costs = (0..<columns * rows).map { _ in UInt32(random.in(0...16320)) }
            let first = random.in(0...rows - 1)
            band = first..<random.in(first + 1...rows)
            share = random.in(0...1024)
            isNegated = random.next() & 1 == 0
            self.columns = columns
            self.rows = rows
        }

        /// Splats all rows in both passes; returns the ranks, owners and sums.
        func run(_ memory: [GuardedMemory], _ kernels: vfx_kernel_table) -> (
            rank: [UInt32], owner: [[Int16]], sums: [[Int32]]
        ) {
            let count = columns * rows
            let rank = memory[3].array([UInt32](repeating: .max, count: count))
            let owner = memory[4].array([vfx_motion_vector](repeating: vfx_motion_vector(x: 7, y: -9), count: count))
            let sums = memory[5].array([vfx_splat_sum](repeating: vfx_splat_sum(), count: count))
            var splat = vfx_splat(
                vectors: memory[0].array(vectors), errors: memory[1].array(errors), costs: memory[2].array(costs),
                columns: Int32(columns), first_row: Int32(band.lowerBound), last_row: Int32(band.upperBound),
                share: Int32(share), negated: isNegated ? 1 : 0, rank: rank, owner: owner, sums: sums,
                owner_coverage: 3000, error_weight: 4, uncovered_shift: 9, difference_shift: 3, agreement: 40,
                weight_offset: 64, weight_per_error: 4, maximum_error: 2000)
            for y in 0..<rows { kernels.splat_owner_row(&splat, Int32(y)) }
            for y in 0..<rows { kernels.splat_mean_row(&splat, Int32(y)) }
            return (
                (0..<count).map { rank[$0] }, (0..<count).map { [owner[$0].x, owner[$0].y] },
                (0..<count).map { [sums[$0].weight, sums[$0].x, sums[$0].y, sums[$0].unused] }
            )
        }
    }

    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()], seeds)
    func rowsOutsideTheBandAreKept(_ level: Int32, _ seed: UInt64) {
        let table = vfx_kernels_make(level)
        var random = Random(seed: seed)
        let memory = (0..<6).map { _ in GuardedMemory(size: 1 << 14) }
        for round in 0..<300 {
            let trial = Trial(&random)
            let got = trial.run(memory, table)
            for y in 0..<trial.rows where !trial.band.contains(y) {
                let row = y * trial.columns..<(y + 1) * trial.columns
                #expect(got.rank[row].allSatisfy { $0 == .max }, "round \(round), seed \(seed)")
                #expect(got.owner[row].allSatisfy { $0 == [7, -9] }, "round \(round), seed \(seed)")
                #expect(got.sums[row].allSatisfy { $0 == [0, 0, 0, 0] }, "round \(round), seed \(seed)")
            }
        }
    }

    /// A vector at rest in a field at rest owns its own cell alone, with its whole weight.
    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()]) func restStays(_ level: Int32) {
        let table = vfx_kernels_make(level), count = 12
        let memory = (0..<6).map { _ in GuardedMemory(size: 1 << 12) }
        let still = [vfx_motion_vector](repeating: vfx_motion_vector(), count: count)
        let rank = memory[3].array([UInt32](repeating: .max, count: count))
        let sums = memory[5].array([vfx_splat_sum](repeating: vfx_splat_sum(), count: count))
        var splat = vfx_splat(
            vectors: memory[0].array(still), errors: memory[1].array([UInt16](repeating: 9, count: count)),
            costs: memory[2].array((0..<count).map { UInt32(8 * $0) }), columns: 4, first_row: 0, last_row: 3,
            share: 512,
            negated: 0, rank: rank, owner: memory[4].array(still), sums: sums, owner_coverage: 3000, error_weight: 4,
            uncovered_shift: 9, difference_shift: 3, agreement: 40, weight_offset: 64, weight_per_error: 4,
            maximum_error: 2000)
        withExtendedLifetime(memory) {
            for y: Int32 in 0..<3 { table.splat_owner_row(&splat, y) }
            for y: Int32 in 0..<3 { table.splat_mean_row(&splat, y) }
            #expect((0..<count).map { rank[$0] } == (0..<count).map { UInt32(36 + $0) })
            #expect((0..<count).allSatisfy { sums[$0].weight == 16384 / 100 && sums[$0].x == 0 && sums[$0].y == 0 })
        }
    }
}
