import Kernels
import Testing

/// The vector median filter on rows of fields with outliers.
@Suite struct VectorMedianTests {
    private static let levels = [Int32(VFX_CPU_C), vfx_cpu_detect()]

    /// The columns that are listed as changed are those whose vector differs.
    @Test(arguments: levels, seeds) func changes(_ level: Int32, _ seed: UInt64) {
        let filter = vfx_kernels_make(level).vector_median_row
        var random = Random(seed: seed)
        let memory = GuardedMemory(size: 1 << 16)
        for columns in widths {
            for rows in 1...5 {
                let span = [2, 40, 1200, 32256][random.in(0...3)], outliers = random.in(0...3)
                let common = (random.in(-span...span), random.in(-span...span))
                let cells = memory.array(
                    (0..<columns * rows).map { _ in
                        random.in(0...3) < outliers
                            ? vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
                            : vfx_motion_vector(x: Int16(common.0), y: Int16(common.1))
                    })
                var field = vfx_vector_median(
                    vectors: cells, columns: Int32(columns), rows: Int32(rows),
                    agreement: Int32([0, 24, 32766][random.in(0...2)]), few_allies: Int32(random.in(0...9)),
                    maximum_distance: Int32([1, 256, 32767][random.in(0...2)]))
                let y = random.in(0...rows - 1)
                var out = [vfx_motion_vector](repeating: vfx_motion_vector(x: 7, y: 7), count: columns)
                var changed = [Int32](repeating: -1, count: columns)
                let count = filter(&field, Int32(y), &out, &changed)
                let differing = (0..<columns).filter {
                    let own = cells[y * columns + $0]
                    return out[$0].x != own.x || out[$0].y != own.y
                }
                #expect(
                    changed[..<Int(count)] == differing.map(Int32.init)[...],
                    "\(columns)×\(rows), row \(y), seed \(seed)")
            }
        }
    }

    /// A corner of a moving region is rounded off, since five of nine cells around it are at rest; an outlier vanishes.
    @Test(arguments: levels) func outliersTakeTheMedian(_ level: Int32) {
        let still = vfx_motion_vector(x: 0, y: 0), moving = vfx_motion_vector(x: 100, y: 0)
        let cells = [
            moving, moving, still, still,
            moving, moving, still, still,
            still, still, still, moving,
            still, still, still, still,
        ]
        var out = [vfx_motion_vector](repeating: still, count: 4), changed = [Int32](repeating: -1, count: 4)
        let memory = GuardedMemory(size: 64), table = vfx_kernels_make(level)
        var field = vfx_vector_median(
            vectors: memory.array(cells), columns: 4, rows: 4, agreement: 24, few_allies: 4, maximum_distance: 256)
        withExtendedLifetime(memory) {
            #expect(table.vector_median_row(&field, 1, &out, &changed) == 1 && changed[0] == 1)
            #expect(out.map(\.x) == [100, 0, 0, 0])
            #expect(table.vector_median_row(&field, 2, &out, &changed) == 1 && changed[0] == 3)
            #expect(out.map(\.x) == [0, 0, 0, 0])
        }
    }
}
