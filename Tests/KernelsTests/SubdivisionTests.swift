import Kernels
import Testing

/// Subdivision of rows of smooth and rough fields.
@Suite struct SubdivisionTests {
    @Test(arguments: KernelLevel.with("subdivide_row"), seeds) func rows(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "subdivide_row")
        var random = Random(seed: seed)
        let memory = (0..<5).map { _ in GuardedMemory(size: 1 << 16) }
        for count in widths {
            for rows in 1...4 {
                let columns = (count + 1) / 2 + random.in(0...2)
                let span = [2, 40, 1200, 32256][random.in(0...3)], edges = random.in(0...3)
                var v = vfx_motion_vector(x: 0, y: 0)
                let vectors = (0..<columns * rows).map { _ in
                    if random.in(0...3) < edges {
                        v = vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
                    }
                    return v
                }
                var field = vfx_subdivision(
                    vectors: memory[0].array(vectors),
                    differences: memory[1].array((0..<columns * rows).map { _ in Int32(random.in(0...4080)) }),
                    columns: Int32(columns), rows: Int32(rows), scale: Int32(random.in(1...2)),
                    smooth_distance: Int32([0, 32, 32766][random.in(0...2)]))
                let y = Int32(random.in(0...2 * rows - 1))
                func run(_ subdivide: vfx_subdivide_row_fn) -> [[Int32]] {
                    let unwritten = vfx_motion_vector(x: 7, y: 7)
                    let out = memory[2].array([vfx_motion_vector](repeating: unwritten, count: count))
                    let differences = memory[3].array([Int32](repeating: -1, count: count))
                    let rough = memory[4].array([Int32](repeating: -1, count: count))
                    let found = subdivide(&field, y, Int32(count), out, differences, rough)
                    return [
                        (0..<count).map { Int32(out[$0].x) }, (0..<count).map { Int32(out[$0].y) },
                        (0..<count).map { differences[$0] }, (0..<Int(found)).map { rough[$0] },
                    ]
                }
                #expect(
                    run(tables.level.subdivide_row) == run(tables.c.subdivide_row),
                    "\(count) cells, row \(y) of \(columns)×\(rows), seed \(seed)")
            }
        }
    }

    /// Between motions of 0 and 16, small cells have a quarter and three quarters of the step; a larger step is rough.
    @Test func motionIsLinear() {
        let vectors = [0, 16, 16, 100].map { vfx_motion_vector(x: $0, y: -$0) }, known: [Int32] = [5, 6, 7, 8]
        let memory = (0..<2).map { _ in GuardedMemory(size: 64) }
        var field = vfx_subdivision(
            vectors: memory[0].array(vectors), differences: memory[1].array(known), columns: 4, rows: 1, scale: 1,
            smooth_distance: 32)
        var out = [vfx_motion_vector](repeating: vfx_motion_vector(), count: 8)
        var differences = [Int32](repeating: 0, count: 8), rough = differences
        let count = withExtendedLifetime(memory) {
            vfx_kernels_make(VFX_CPU_C).subdivide_row(&field, 1, 8, &out, &differences, &rough)
        }
        #expect(out.map(\.x) == [0, 4, 12, 16, 16, 37, 79, 100])
        #expect(out.map(\.y) == [0, -4, -12, -16, -16, -37, -79, -100])
        #expect(differences == [5, 5, 6, 6, 7, 7, 8, 8])
        #expect(Array(rough[..<Int(count)]) == [5, 6])
    }
}
