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

    @Test(arguments: KernelLevel.with("splat_mean_row"), seeds) func rows(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "splat_mean_row")
        var random = Random(seed: seed)
        let memory = (0..<6).map { _ in GuardedMemory(size: 1 << 14) }
        for round in 0..<300 {
            let trial = Trial(&random)
            let wanted = trial.run(memory, tables.c), got = trial.run(memory, tables.level)
            #expect(
                got.rank == wanted.rank && got.owner == wanted.owner && got.sums == wanted.sums,
                "round \(round), seed \(seed)")
            for y in 0..<trial.rows where !trial.band.contains(y) {
                #expect(wanted.rank[y * trial.columns..<(y + 1) * trial.columns].allSatisfy { $0 == .max })
            }
        }
    }
}
