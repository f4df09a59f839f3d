import Kernels
import Testing

/// The weighted median of a motion field, by its definition.
@Suite struct FlowMedianTests {
    private static let levels = [Int32(VFX_CPU_C), vfx_cpu_detect()]

    @Test(arguments: levels, seeds) func definition(_ level: Int32, _ seed: UInt64) {
        let filter = vfx_kernels_make(level).flow_median_row
        var random = Random(seed: seed)
        let memory = (0..<5).map { _ in GuardedMemory(size: 1 << 12) }
        for columns in [1, 2, 5, 17, 40] {
            for rows in [1, 3, 6] {
                let count = columns * rows, span = [3, 60, 32256][random.in(0...2)]
                let cells = (0..<count).map { _ in
                    vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
                }
                let light = (0..<count).map { _ in UInt8(random.in(0...255)) }
                let trust = (0..<count).map { _ in UInt8(random.in(1...255)) }
                let byLight = (0..<256).map { _ in UInt8(random.in(0...255)) }
                let byPlace = (0..<25).map { _ in UInt8(random.in(0...255)) }
                let smooth = [0, 16, 4000][random.in(0...2)], y = random.in(0...rows - 1)
                var field = vfx_flow_median(
                    vectors: memory[0].array(cells), brightness: memory[1].array(light), trust: memory[2].array(trust),
                    columns: Int32(columns), rows: Int32(rows), smooth_distance: Int32(smooth),
                    brightness_weight: memory[3].array(byLight), place_weight: memory[4].array(byPlace))
                var out = [vfx_motion_vector](repeating: vfx_motion_vector(x: 7, y: 7), count: columns)
                withExtendedLifetime(memory) { filter(&field, Int32(y), &out) }
                for x in 0..<columns {
                    let own = y * columns + x
                    var around: [(cell: vfx_motion_vector, weight: Int)] = []
                    for j in -2...2 {
                        for i in -2...2
                        where (0..<columns).contains(x + i) && (0..<rows).contains(y + j) {
                            let at = (y + j) * columns + x + i
                            let difference = abs(Int(light[at]) - Int(light[own]))
                            let product = Int(trust[at]) * Int(byLight[difference]) * Int(byPlace[5 * (j + 2) + i + 2])
                            around.append((cells[at], product >> 8 + 1))
                        }
                    }
                    let isSmooth = around.allSatisfy {
                        abs(Int($0.cell.x) - Int(cells[own].x)) + abs(Int($0.cell.y) - Int(cells[own].y)) <= smooth
                    }
                    func median(_ component: (vfx_motion_vector) -> Int16) -> Int16 {
                        if isSmooth { return component(cells[own]) }
                        let total = around.reduce(0) { $0 + $1.weight }
                        return around.map { component($0.cell) }.sorted().first { value in
                            2 * around.reduce(0) { $0 + (component($1.cell) <= value ? $1.weight : 0) } >= total
                        } ?? 0
                    }
                    #expect(
                        out[x].x == median(\.x) && out[x].y == median(\.y),
                        "\(columns)×\(rows), cell \(x), \(y), seed \(seed)")
                }
            }
        }
    }
}
