import Kernels
import Testing

/// Tiles of slopes, and preparing and measuring rows of cells from them. They are compared with sums over single samples.
@Suite struct FlowMeasureTests {
    private static let levels = [Int32(VFX_CPU_C), vfx_cpu_detect()]

    private static let tileCounts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 17, 64]

    @Test(arguments: levels, Pattern.allCases)
    func tiles(_ level: Int32, _ pattern: Pattern) {
        var random = Random(seed: 7)
        let memory = GuardedMemory(size: 1 << 16)
        for tiles in Self.tileCounts {
            let plane = GuardedPlane<UInt8>(memory, columns: -1..<4 * tiles + 1, rows: -1..<5, random: &random)
            plane.fill(pattern, maximum: 255, random: &random)
            var got = Destination<Int16>(width: 48 * tiles), wanted = got
            got.write { out, _ in
                vfx_kernels_make(level).flow_tiles_row(plane.read, plane.stride, Int32(tiles), out)
            }
            wanted.write { out, _ in
                func at(_ x: Int, _ y: Int) -> Int16 { Int16(plane.origin[y * plane.stride + x]) }
                for y in 0..<4 {
                    for x in 0..<4 * tiles {
                        let i = y / 2 * 24 * tiles + x / 4 * 8 + y % 2 * 4 + x % 4
                        out[i] = at(x + 1, y) - at(x - 1, y)
                        out[i + 8 * tiles] = at(x, y + 1) - at(x, y - 1)
                        out[i + 16 * tiles] = 16 * at(x, y)
                    }
                }
            }
            #expect(got == wanted, "\(tiles) tiles")
        }
    }

    /// The patches of a row of cells: their plane, whose origin is the first sample of the first cell, and their tiles.
    private struct Patches {
        let plane: GuardedPlane<UInt8>
        private let memory = (GuardedMemory(size: 1 << 14), GuardedMemory(size: 1 << 14))
        let tiles: vfx_flow_tiles

        init(_ planeMemory: GuardedMemory, columns: Int, _ pattern: Pattern, _ random: inout Random) {
            // Patches extend two samples beyond a cell, slopes one more.
            plane = GuardedPlane(planeMemory, columns: -3..<4 * columns + 3, rows: -3..<7, random: &random)
            plane.fill(pattern, maximum: 255, random: &random)
            let plane = plane, kernel = vfx_kernels_make(Int32(VFX_CPU_C)).flow_tiles_row
            func row(_ memory: GuardedMemory, _ y: Int) -> UnsafePointer<Int16> {
                let out = memory.array([Int16](repeating: 0, count: 48 * (columns + 1)))
                kernel(plane.read + y * plane.stride - 2, plane.stride, Int32(columns + 1), out)
                return UnsafePointer(out)
            }
            tiles = vfx_flow_tiles(upper: row(memory.0, -2), lower: row(memory.1, 2))
        }

        func sample(_ x: Int, _ y: Int) -> Int { Int(plane.origin[y * plane.stride + x]) }
        func slopes(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
            (sample(x + 1, y) - sample(x - 1, y), sample(x, y + 1) - sample(x, y - 1))
        }
    }

    private static func floats(_ pointer: UnsafeMutablePointer<UInt32>) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self)
    }

    @Test(arguments: levels, Pattern.allCases)
    func prepare(_ level: Int32, _ pattern: Pattern) {
        var random = Random(seed: 11)
        let memory = GuardedMemory(size: 1 << 16)
        for columns in [1, 2, 3, 5, 8, 17, 64] {
            let patches = Patches(memory, columns: columns, pattern, &random)
            var tiles = patches.tiles
            var equations = Destination<UInt32>(width: 5 * columns), brightness = Destination<UInt32>(width: columns)
            var support = brightness, wantedEquations = equations, wantedBrightness = brightness,
                wantedSupport = support
            equations.write { e, _ in
                brightness.write { b, _ in
                    support.write { s, _ in
                        vfx_kernels_make(level).flow_prepare_row(
                            &tiles, Int32(columns), Self.floats(e), Self.floats(b), Self.floats(s))
                    }
                }
            }
            let cells = (0..<columns).map { Self.reference(patches, 4 * $0) }
            wantedEquations.write { e, _ in
                for x in 0..<columns { for i in 0..<5 { e[i * columns + x] = cells[x].equation[i].bitPattern } }
            }
            wantedBrightness.write { b, _ in for x in 0..<columns { b[x] = cells[x].brightness.bitPattern } }
            wantedSupport.write { s, _ in for x in 0..<columns { s[x] = cells[x].support.bitPattern } }
            #expect(equations == wantedEquations, "\(columns) cells")
            #expect(brightness == wantedBrightness && support == wantedSupport, "\(columns) cells")
            #expect(cells.allSatisfy { (0.02...1.02).contains($0.support) })
        }
    }

    /// Computes the equation, brightness and support of a cell sample by sample.
    private static func reference(_ p: Patches, _ left: Int) -> (
        equation: [Float], brightness: Float, support: Float
    ) {
        var xx = 0, xy = 0, yy = 0, sx = 0, sy = 0
        for y in -2..<6 {
            for x in -2..<6 {
                let g = p.slopes(left + x, y)
                xx += g.x * g.x
                xy += g.x * g.y
                yy += g.y * g.y
                sx += g.x
                sy += g.y
            }
        }
        let x = Float(sx), y = Float(sy)
        func normal(_ sum: Int, _ a: Float, _ b: Float) -> Float { (Float(sum) - a * b * (1 / 64)) * 0.25 }
        let nxx = normal(xx, x, x), nxy = normal(xy, x, y), nyy = normal(yy, y, y)
        let half = (nxx - nyy) * 0.5, smaller = (nxx + nyy) * 0.5 - (half * half + nxy * nxy).squareRoot()
        func at(_ x: Int, _ y: Int) -> Int { p.sample(left + x, y) }
        return (
            [nxx, nxy, nyy, x, y], Float(at(1, 1) + at(2, 1) + at(1, 2) + at(2, 2)) * 0.25,
            (smaller > 0 ? smaller / (smaller + 200) : 0) + 0.02
        )
    }

    private struct Target {
        let plane: GuardedPlane<UInt8>
        let place: vfx_warp_source

        init(
            _ memory: GuardedMemory, width: Int, height: Int, margin: Int, _ pattern: Pattern, _ random: inout Random
        ) {
            // Sub-pixel sampling needs one sample more than the margin; rows are read in 16 samples.
            let reach = margin + 1
            plane = GuardedPlane(
                memory, columns: -reach..<width + margin + 8, rows: -reach..<height + reach, random: &random)
            plane.fill(pattern, maximum: 255, random: &random)
            place = vfx_warp_source(
                origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: Int32(width),
                height: Int32(height), margin: Int32(margin))
        }
    }

    /// Measures a row and checks sums, positions, and that nothing else is written.
    private static func measure(
        _ level: Int32, _ patches: Patches, _ target: Target, y: Int, _ vx: [Float], _ vy: [Float]
    ) {
        let columns = vx.count
        var tiles = patches.tiles, place = target.place
        var residuals = Destination<Int32>(width: 4 * columns), sampled = Destination<UInt32>(width: 3 * columns)
        var wanted = residuals, wantedSampled = sampled
        residuals.write { r, _ in
            sampled.write { s, _ in
                vfx_kernels_make(level).flow_measure_row(
                    &tiles, &place, Int32(y), Int32(columns), vx, vy,
                    UnsafeMutableRawPointer(r).assumingMemoryBound(to: vfx_flow_residual.self), floats(s))
            }
        }
        let got = sampled.row(0, count: 3 * columns).map { Float(bitPattern: $0) }
        wanted.write { r, _ in
            for x in 0..<columns {
                let sums = sums(patches, target, x, y, vx[x], vy[x])
                for i in 0..<4 { r[4 * x + i] = Int32(sums[i]) }
            }
        }
        wantedSampled.write { s, _ in
            for x in 0..<columns {
                s[x] = (Float(landed(4 * x - 2, vx[x], place.width, place.margin)) / 32).bitPattern
                s[columns + x] = (Float(landed(4 * y - 2, vy[x], place.height, place.margin)) / 32).bitPattern
                s[2 * columns + x] = got[2 * columns + x].bitPattern
                func outside(_ start: Float, _ size: Int32) -> Float {
                    max(0, -start) + max(0, start + 8 - Float(size))
                }
                let beyond =
                    outside(Float(4 * x - 2) + got[x], place.width)
                    + outside(Float(4 * y - 2) + got[columns + x], place.height)
                #expect(abs(got[2 * columns + x] - max(0, 1 - beyond / 4)) < 0.02)
            }
        }
        #expect(residuals == wanted && sampled == wantedSampled, "\(columns) cells, row \(y)")
    }

    /// Returns the position of the patch in 1/32 sample, limited to what can be read; rounded as in the kernel, in single
    /// precision with an offset that keeps the number positive.
    private static func landed(_ start: Int, _ v: Float, _ size: Int32, _ margin: Int32) -> Int {
        let low = Float(-margin), high = Float(size + margin - 8)
        let moved = min(max(v, low - Float(start)), high - Float(start))
        return Int(moved * 32 + 65536.5) - 65536
    }

    private static func sums(_ patches: Patches, _ target: Target, _ x: Int, _ y: Int, _ vx: Float, _ vy: Float)
        -> [Int]
    {
        let qx = landed(4 * x - 2, vx, target.place.width, target.place.margin)
        let qy = landed(4 * y - 2, vy, target.place.height, target.place.margin)
        let fx = qx & 31, fy = qy & 31
        var sums = [0, 0, 0, 0]
        for dy in 0..<8 {
            for dx in 0..<8 {
                func b(_ i: Int, _ j: Int) -> Int {
                    let row = 4 * y - 2 + qy >> 5 + dy + j, column = 4 * x - 2 + qx >> 5 + dx + i
                    return Int(target.plane.origin[row * target.plane.stride + column])
                }
                let upper = (32 - fx) * b(0, 0) + fx * b(1, 0), lower = (32 - fx) * b(0, 1) + fx * b(1, 1)
                let e = ((32 - fy) * upper + fy * lower + 32) >> 6 - 16 * patches.sample(4 * x - 2 + dx, dy - 2)
                let g = patches.slopes(4 * x - 2 + dx, dy - 2)
                sums[0] += e * g.x
                sums[1] += e * g.y
                sums[2] += e
                sums[3] += abs(e)
            }
        }
        return sums
    }

    /// Vectors of any size, also far outside the target: nothing beyond the margin is read, and `inside` is right.
    @Test(arguments: levels, [0, 1, 7, 38])
    func measure(_ level: Int32, _ margin: Int) {
        var random = Random(seed: UInt64(margin) + 5)
        let sourceMemory = GuardedMemory(size: 1 << 16), targetMemory = GuardedMemory(size: 1 << 18)
        let spans: [Float] = [0, 0.7, 3, 40, 1008, 1e6]
        for columns in [1, 2, 5, 19, 40] {
            for span in spans {
                // A cell that extends beyond the plane begins inside.
                let width = 4 * columns - random.in(0...3), height = random.in(1...40)
                let patches = Patches(sourceMemory, columns: columns, Pattern.any(&random), &random)
                let target = Target(
                    targetMemory, width: max(width, 8), height: max(height, 8), margin: margin, Pattern.any(&random),
                    &random)
                let vx = (0..<columns).map { _ in span * Float(random.in(-1000...1000)) / 1000 }
                let vy = (0..<columns).map { _ in span * Float(random.in(-1000...1000)) / 1000 }
                Self.measure(level, patches, target, y: random.in(0...(height - 1) / 4), vx, vy)
            }
        }
    }

    /// Tests all 1024 fractions, so that all rounding is covered.
    @Test(arguments: levels, [Pattern.random, .extremes])
    func measureAtEveryFraction(_ level: Int32, _ pattern: Pattern) {
        var random = Random(seed: 5)
        let sourceMemory = GuardedMemory(size: 1 << 16), targetMemory = GuardedMemory(size: 1 << 18)
        for fy in 0..<32 {
            let patches = Patches(sourceMemory, columns: 32, pattern, &random)
            let target = Target(targetMemory, width: 128, height: 32, margin: 4, pattern, &random)
            Self.measure(
                level, patches, target, y: fy % 8, (0..<32).map { Float($0) / 32 },
                [Float](repeating: Float(fy) / 32, count: 32))
        }
    }
}
