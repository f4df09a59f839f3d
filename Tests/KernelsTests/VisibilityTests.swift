import Kernels
import Testing

/// Judgement of cells whose vectors lead out of the frames.
@Suite struct VisibilityTests {
    /// Judges the upper row of four cells over fields of 2×2 cells that all move alike, with perfect matches.
    private func judge(
        _ motion: vfx_motion_vector, t: Int32, _ kernel: vfx_visibility_row_fn
    ) -> (outputs: [[Int16]], counts: [Int32]) {
        let memory = (0..<9).map { _ in GuardedMemory(size: 1 << 12) }
        let forward = [vfx_motion_vector](repeating: motion, count: 4)
        let backward = [vfx_motion_vector](repeating: .init(x: -motion.x, y: -motion.y), count: 4)
        var visibility = vfx_visibility(
            forward: memory[0].array(forward), backward: memory[1].array(backward), columns: 2, rows: 2,
            vector_shift: 0, t: t, half_difference: 4096, matched_trust: 0.3, least_trust: 0.001,
            unseen_trust: 0.0001, agreement: 1024, unexplained_difference: 192, unexplained_trust: 0.1,
            trust_scale: 180, first_only: 26, second_only: 230)
        let vectors = memory[2].array(forward), differences = memory[3].array([Int32](repeating: 0, count: 4))
        let outputs = memory[4...8].map { $0.array([Int16](repeating: 77, count: 4)) }
        var row = vfx_visibility_row(
            vx: outputs[0], vy: outputs[1], weight: outputs[2], share: outputs[3], trust: outputs[4])
        return withExtendedLifetime(memory) {
            let counts = kernel(&visibility, 0, vectors, differences, 4, &row)
            return (outputs.map { output in (0..<4).map { output[$0] } }, [counts.one_side, counts.unexplained])
        }
    }

    /// Four cells over fields that move by one and a quarter cells to the right, a quarter of the way from the first
    /// frame to the second: the second frame does not contain what lands on the right, the first not what comes from the
    /// left.
    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()]) func motionOutOfTheFrame(_ level: Int32) {
        let (outputs, counts) = judge(.init(x: 160, y: 0), t: 256, vfx_kernels_make(level).visibility_row)
        let (vectors, visibility) = (outputs[..<2], Array(outputs[2...]))
        #expect(vectors == [[160, 160, 160, 160], [0, 0, 0, 0]])
        #expect(visibility == [[256, 64, 0, 0], [256, 128, 0, 0], [180, 234, 180, 180]], "weight, share, trust")
        #expect(counts == [3, 0])
    }
}
