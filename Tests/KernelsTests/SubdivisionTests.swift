import Kernels
import Testing

/// Subdivision of a row of a field that is smooth and rough.
@Suite struct SubdivisionTests {
    /// Between motions of 0 and 16, small cells have a quarter and three quarters of the step; a larger step is rough.
    @Test(arguments: [Int32(VFX_CPU_C), vfx_cpu_detect()]) func motionIsLinear(_ level: Int32) {
        let vectors = [0, 16, 16, 100].map { vfx_motion_vector(x: $0, y: -$0) }, known: [Int32] = [5, 6, 7, 8]
        let memory = (0..<2).map { _ in GuardedMemory(size: 64) }
        var field = vfx_subdivision(
            vectors: memory[0].array(vectors), differences: memory[1].array(known), columns: 4, rows: 1, scale: 1,
            smooth_distance: 32)
        var out = [vfx_motion_vector](repeating: vfx_motion_vector(), count: 8)
        var differences = [Int32](repeating: 0, count: 8), rough = differences
        let count = withExtendedLifetime(memory) {
            vfx_kernels_make(level).subdivide_row(&field, 1, 8, &out, &differences, &rough)
        }
        #expect(out.map(\.x) == [0, 4, 12, 16, 16, 37, 79, 100])
        #expect(out.map(\.y) == [0, -4, -12, -16, -16, -37, -79, -100])
        #expect(differences == [5, 5, 6, 6, 7, 7, 8, 8])
        #expect(Array(rough[..<Int(count)]) == [5, 6])
    }
}
