import Kernels
import Testing

/// Judgement of rows of cells whose vectors stay inside or lead far outside the fields.
@Suite struct VisibilityTests {
    /// Two fields and a row of cells to judge.
    private struct Trial {
        let columns: Int
        let rows: Int
        let count: Int
        private let y: Int
        private let fields: [[vfx_motion_vector]]
        private let vectors: [vfx_motion_vector]
        private let differences: [Int32]
        private let t: Int32
        private let shift: Int32

        init(count: Int, _ random: inout Random) {
            self.count = count
            columns = (count + 1) / 2
            rows = random.in(1...12)
            y = random.in(0...2 * rows - 1)
            shift = Int32(random.in(0...2))
            t = Int32([0, 1024, random.in(1...1023)][random.in(0...2)])
            let span = [3, 300, 3000, 32256][random.in(0...3)], spread = random.in(0...70)
            let mostDifference = [40, 400, 32767][random.in(0...2)]
            // Most content moves alike: forth in one field, back in the other.
            let common = (random.in(-span...span), random.in(-span...span))
            func vector(_ scale: Int, _ random: inout Random) -> vfx_motion_vector {
                func component(_ centre: Int) -> Int16 {
                    let near = scale * centre + random.in(-spread...spread)
                    return Int16(random.in(0...4) == 0 ? random.in(-span...span) : min(max(near, -32256), 32256))
                }
                return vfx_motion_vector(x: component(common.0), y: component(common.1))
            }
            let cells = columns * rows
            fields = [1, -1].map { sign in (0..<cells).map { _ in vector(sign, &random) } }
            let scale = 1 << Int(shift)
            vectors = (0..<count).map { _ in vector(scale, &random) }
            differences = (0..<count).map { _ in Int32(random.in(0...mostDifference)) }
        }

        /// The upper row of four cells over fields of 2×2 cells that all move alike, with perfect matches.
        init(_ motion: vfx_motion_vector, t: Int32) {
            (columns, rows, count, y, shift, self.t) = (2, 2, 4, 0, 0, t)
            let back = vfx_motion_vector(x: -motion.x, y: -motion.y)
            fields = [.init(repeating: motion, count: 4), .init(repeating: back, count: 4)]
            vectors = .init(repeating: motion, count: 4)
            differences = [0, 0, 0, 0]
        }

        func run(
            _ memory: [GuardedMemory], _ judge: vfx_visibility_row_fn
        ) -> (outputs: [[Int16]], counts: [Int32]) {
            var visibility = vfx_visibility(
                forward: memory[0].array(fields[0]), backward: memory[1].array(fields[1]), columns: Int32(columns),
                rows: Int32(rows), vector_shift: shift, t: t, half_difference: 4096, matched_trust: 0.3,
                least_trust: 0.001, unseen_trust: 0.0001, agreement: 1024, unexplained_difference: 192,
                unexplained_trust: 0.1, trust_scale: 180, first_only: 26, second_only: 230)
            let vectors = memory[2].array(vectors), differences = memory[3].array(differences)
            let outputs = memory[4...8].map { $0.array([Int16](repeating: 77, count: count)) }
            var row = vfx_visibility_row(
                vx: outputs[0], vy: outputs[1], weight: outputs[2], share: outputs[3], trust: outputs[4])
            let counts = judge(&visibility, Int32(y), vectors, differences, Int32(count), &row)
            return (
                outputs.map { output in (0..<count).map { output[$0] } }, [counts.one_side, counts.unexplained]
            )
        }
    }

    /// Four cells over fields that move by one and a quarter cells to the right, a quarter of the way from the first
    /// frame to the second: the second frame does not contain what lands on the right, the first not what comes from the
    /// left.
    @Test(arguments: [VFX_CPU_C, vfx_cpu_detect()]) func motionOutOfTheFrame(_ level: vfx_cpu_level) {
        let memory = (0..<9).map { _ in GuardedMemory(size: 1 << 12) }
        let (outputs, counts) = Trial(.init(x: 160, y: 0), t: 256).run(memory, vfx_kernels_make(level).visibility_row)
        let (vectors, visibility) = (outputs[..<2], Array(outputs[2...]))
        #expect(vectors == [[160, 160, 160, 160], [0, 0, 0, 0]])
        #expect(visibility == [[256, 64, 0, 0], [256, 128, 0, 0], [180, 234, 180, 180]], "weight, share, trust")
        #expect(counts == [3, 0])
    }

    @Test(arguments: KernelLevel.with("visibility_row"), seeds) func rows(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "visibility_row")
        var random = Random(seed: seed)
        let memory = (0..<9).map { _ in GuardedMemory(size: 1 << 16) }
        for count in widths {
            for _ in 0..<6 {
                let trial = Trial(count: count, &random)
                let wanted = trial.run(memory, tables.c.visibility_row)
                let got = trial.run(memory, tables.level.visibility_row)
                #expect(
                    got.outputs == wanted.outputs && got.counts == wanted.counts, "\(count) cells, seed \(seed)")
                for (output, most) in zip(wanted.outputs[2...], [256, 256, 255]) {
                    #expect(output.allSatisfy { 0...most ~= Int($0) })
                }
            }
        }
    }
}
