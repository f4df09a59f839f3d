import Kernels
import Testing

/// The kernels of the occlusion fill, on fields with random holes.
@Suite struct OcclusionFillTests {
    private static let levels = [Int32(VFX_CPU_C), vfx_cpu_detect()]

    /// A field whose vectors, brightness and distances are each followed by an inaccessible page.
    private struct Field {
        let columns: Int
        let rows: Int
        let vectors: [vfx_motion_vector]
        let brightness: [UInt8]
        let distance: [Int32]
        let holes: [vfx_fill_hole]

        init(columns: Int, rows: Int, _ random: inout Random) {
            self.columns = columns
            self.rows = rows
            let span = [2, 40, 1200, 32256][random.in(0...3)], most = [3, 255][random.in(0...1)]
            vectors = (0..<columns * rows).map { _ in
                vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
            }
            brightness = (0..<(columns + 2) * (rows + 2)).map { _ in UInt8(random.in(0...most)) }
            var distance = [Int32](repeating: VFX_FILL_UNREACHED, count: brightness.count), holes: [vfx_fill_hole] = []
            let share = random.in(0...4)
            for y in 0..<rows {
                for x in 0..<columns {
                    let bordered = (y + 1) * (columns + 2) + x + 1
                    if random.in(0...3) < share {
                        holes.append(vfx_fill_hole(at: Int32(y * columns + x), bordered: Int32(bordered)))
                        if random.in(0...2) == 0 { distance[bordered] = Int32(random.in(5...5000)) }
                    } else {
                        distance[bordered] = 0
                    }
                }
            }
            self.distance = distance
            self.holes = holes
        }

        /// Calls `body` with a copy of the field; returns the vectors and distances after it.
        func run(
            _ memory: [GuardedMemory], _ body: (UnsafePointer<vfx_fill_field>) -> Void
        ) -> (vectors: [[Int16]], distance: [Int32]) {
            let v = memory[0].array(vectors), d = memory[1].array(distance)
            var field = vfx_fill_field(
                vectors: v, brightness: memory[2].array(brightness), distance: d, columns: Int32(columns),
                rows: Int32(rows))
            body(&field)
            return (
                (0..<vectors.count).map { [v[$0].x, v[$0].y] }, (0..<distance.count).map { d[$0] }
            )
        }
    }

    private static func memory() -> [GuardedMemory] { (0..<4).map { _ in GuardedMemory(size: 1 << 14) } }

    /// Holes are the cells with a large error and those whose vector leads out of the field; the others are reached.
    @Test(arguments: levels, seeds) func find(_ level: Int32, _ seed: UInt64) {
        let kernel = vfx_kernels_make(level).fill_find_row
        var random = Random(seed: seed)
        for columns in widths {
            let span = [10, 3000, 32256][random.in(0...2)], most = [13, 65535][random.in(0...1)]
            let vectors = (0..<columns).map { _ in
                vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
            }
            let errors = (0..<columns).map { _ in UInt16(random.in(0...most)) }
            let y = random.in(0...20), limitX = 128 * columns - random.in(0...96)
            let wanted = (0..<columns).filter {
                let endX = 128 * $0 + 64 + Int(vectors[$0].x), endY = 128 * y + 64 + Int(vectors[$0].y)
                return errors[$0] > 12 || !(0..<limitX).contains(endX) || !(0..<2000).contains(endY)
            }
            var holes = [vfx_fill_hole](repeating: vfx_fill_hole(), count: columns)
            var distance = [Int32](repeating: -1, count: columns)
            let count = kernel(
                vectors, errors, Int32(y), Int32(columns), Int32(limitX), 2000, 12, &holes, &distance)
            #expect(holes[..<Int(count)].map { Int($0.at) } == wanted.map { y * columns + $0 })
            #expect(holes[..<Int(count)].map { Int($0.bordered) } == wanted.map { (y + 1) * (columns + 2) + $0 + 1 })
            var wantedDistance = [Int32](repeating: 0, count: columns)
            for x in wanted { wantedDistance[x] = VFX_FILL_UNREACHED }
            #expect(distance == wantedDistance, "\(columns) cells, seed \(seed)")
        }
    }

    /// The sweep takes over the nearest motion, and never changes cells that are not holes.
    @Test(arguments: seeds) func sweep(_ seed: UInt64) {
        let kernel = vfx_kernels_make(vfx_cpu_detect()).fill_sweep
        var random = Random(seed: seed)
        let memory = Self.memory()
        for _ in 0..<60 {
            let field = Field(columns: random.in(1...20), rows: random.in(1...15), &random)
            for step: Int32 in [-1, 1] {
                let got = field.run(memory) { kernel($0, field.holes, Int32(field.holes.count), step, 5, 7) }
                let wanted = Self.swept(field, Int(step))
                #expect(got.vectors == wanted.vectors && got.distance == wanted.distance, "seed \(seed)")
            }
        }
    }

    private static func swept(_ field: Field, _ step: Int) -> (vectors: [[Int16]], distance: [Int32]) {
        var vectors = field.vectors.map { [$0.x, $0.y] }, distance = field.distance
        let pitch = field.columns + 2
        for hole in step < 0 ? field.holes : field.holes.reversed() {
            let at = Int(hole.at), own = Int(hole.bordered)
            var best = Int(distance[own]), from = at
            for (dx, dy, length) in [(step, 0, 5), (0, step, 5), (step, step, 7), (-step, step, 7)] {
                let other = own + dy * pitch + dx
                guard distance[other] != VFX_FILL_UNREACHED else { continue }
                let edge = abs(Int(field.brightness[own]) - Int(field.brightness[other]))
                let path = Int(distance[other]) + (1 + edge) * length
                if path < best { (best, from) = (path, at + dy * field.columns + dx) }
            }
            distance[own] = Int32(best)
            vectors[at] = vectors[from]
        }
        return (vectors, distance)
    }

    @Test(arguments: levels, seeds) func smooth(_ level: Int32, _ seed: UInt64) {
        let kernel = vfx_kernels_make(level).fill_smooth
        var random = Random(seed: seed)
        let memory = Self.memory()
        for _ in 0..<60 {
            let field = Field(columns: random.in(1...20), rows: random.in(1...15), &random)
            let halves = [(2, 16), (1, 1), (256, 256)][random.in(0...2)]
            var means = Destination<Int16>(width: 2 * field.holes.count), wanted = means
            let after = field.run(memory) { cells in
                means.write { out, _ in
                    kernel(
                        cells, field.holes, Int32(field.holes.count), Int32(halves.0), Int32(halves.1),
                        UnsafeMutableRawPointer(out).assumingMemoryBound(to: vfx_motion_vector.self))
                }
            }
            wanted.write { out, _ in
                for (i, hole) in field.holes.enumerated() {
                    let mean = Self.mean(field, hole, halves)
                    out[2 * i] = Int16(mean.x)
                    out[2 * i + 1] = Int16(mean.y)
                }
            }
            #expect(means == wanted, "\(field.columns)×\(field.rows), seed \(seed)")
            #expect(after.distance == field.distance && after.vectors == field.vectors.map { [$0.x, $0.y] })
        }
    }

    private static func mean(_ field: Field, _ hole: vfx_fill_hole, _ halves: (Int, Int)) -> (x: Int, y: Int) {
        let own = field.vectors[Int(hole.at)], bordered = Int(hole.bordered)
        var total = 1024, x = Int(own.x) * 1024, y = Int(own.y) * 1024
        for dy in -1...1 {
            for dx in -1...1 where dx != 0 || dy != 0 {
                let other = bordered + dy * (field.columns + 2) + dx
                guard field.distance[other] != VFX_FILL_UNREACHED else { continue }
                let v = field.vectors[Int(hole.at) + dy * field.columns + dx]
                let edge = abs(Int(field.brightness[other]) - Int(field.brightness[bordered]))
                let apart = min(1023, abs(Int(v.x) - Int(own.x)) + abs(Int(v.y) - Int(own.y)))
                let like = 1024 * halves.0 / (halves.0 + edge), agreement = 256 * halves.1 / (halves.1 + apart)
                let weight = (like * agreement) >> 8
                total += weight
                x += Int(v.x) * weight
                y += Int(v.y) * weight
            }
        }
        return (x / total, y / total)
    }
}
