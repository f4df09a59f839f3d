import Kernels
import Testing

/// Preparing and measuring rows of cells, with the block kernels of each level.
@Suite struct FlowMeasureTests {
    static let levels = [VFX_CPU_C, VFX_CPU_SSE41, VFX_CPU_AVX2].filter(KernelLevel.isAvailable)

    @Test(arguments: levels, Pattern.allCases) func prepare(_ level: vfx_cpu_level, _ pattern: Pattern) {
        let table = vfx_kernels_make(level)
        var random = Random(seed: 11)
        let memory = GuardedMemory(size: 1 << 16)
        for columns in [1, 2, 3, 5, 8, 17, 64] {
            // Patches extend two samples beyond a cell, gradients one more.
            let plane = GuardedPlane<UInt8>(memory, columns: -3..<4 * columns + 3, rows: -3..<7, random: &random)
            plane.fill(pattern, maximum: 255, random: &random)
            var equations = Destination<UInt32>(width: 5 * columns), brightness = Destination<UInt32>(width: columns)
            var support = brightness
            equations.write { e, _ in
                brightness.write { b, _ in
                    support.write { s, _ in
                        table.flow_prepare_row(
                            plane.read, plane.stride, Int32(columns), table.lk_structure_tensor_8x8,
                            UnsafeMutableRawPointer(e).assumingMemoryBound(to: vfx_flow_equation.self),
                            UnsafeMutableRawPointer(b).assumingMemoryBound(to: Float.self),
                            UnsafeMutableRawPointer(s).assumingMemoryBound(to: Float.self))
                    }
                }
            }
            for x in 0..<columns {
                let wanted = Self.reference(plane, 4 * x)
                let got = (5 * x..<5 * x + 5).map { Float(bitPattern: equations.row(0, count: 5 * columns)[$0]) }
                #expect(got.map(\.bitPattern) == wanted.equation.map(\.bitPattern), "cell \(x) of \(columns)")
                #expect(Float(bitPattern: brightness.row(0, count: columns)[x]) == wanted.brightness)
                let trust = Float(bitPattern: support.row(0, count: columns)[x])
                #expect(trust == wanted.support && (0.02...1.02).contains(trust), "cell \(x) of \(columns)")
            }
            // Nothing outside the row has been written.
            var untouched = Destination<UInt32>(width: columns)
            let written = brightness.row(0, count: columns)
            untouched.write { row, _ in for x in 0..<columns { row[x] = written[x] } }
            #expect(untouched == brightness)
        }
    }

    /// Computes the equation, brightness and support of a cell sample by sample.
    private static func reference(_ p: GuardedPlane<UInt8>, _ left: Int) -> (
        equation: [Float], brightness: Float, support: Float
    ) {
        func at(_ x: Int, _ y: Int) -> Int { Int(p.origin[y * p.stride + left + x]) }
        var xx = 0, xy = 0, yy = 0, sx = 0, sy = 0
        for y in -2..<6 {
            for x in -2..<6 {
                let gx = at(x + 1, y) - at(x - 1, y), gy = at(x, y + 1) - at(x, y - 1)
                xx += gx * gx
                xy += gx * gy
                yy += gy * gy
                sx += gx
                sy += gy
            }
        }
        let x = Float(sx), y = Float(sy)
        func normal(_ sum: Int, _ a: Float, _ b: Float) -> Float { (Float(sum) - a * b * (1 / 64)) * 0.25 }
        let nxx = normal(xx, x, x), nxy = normal(xy, x, y), nyy = normal(yy, y, y)
        let half = (nxx - nyy) * 0.5, smaller = (nxx + nyy) * 0.5 - (half * half + nxy * nxy).squareRoot()
        return (
            [nxx, nxy, nyy, x, y], Float(at(1, 1) + at(2, 1) + at(1, 2) + at(2, 2)) * 0.25,
            (smaller > 0 ? smaller / (smaller + 200) : 0) + 0.02
        )
    }

    /// C's version with the block kernels of SSE4.1, and the versions of the levels above.
    static let measuringLevels =
        [VFX_CPU_C, VFX_CPU_SSE41].filter(KernelLevel.isAvailable) + KernelLevel.with("flow_measure_row").map(\.level)

    /// Vectors of any size, also far outside the target: nothing beyond the margin is read, and `inside` is right.
    @Test(arguments: measuringLevels, [0, 1, 7, 38]) func measure(_ level: vfx_cpu_level, _ margin: Int) {
        let table = vfx_kernels_make(level), plain = vfx_kernels_make(VFX_CPU_C)
        var random = Random(seed: UInt64(margin) + 5)
        let sourceMemory = GuardedMemory(size: 1 << 16), targetMemory = GuardedMemory(size: 1 << 18)
        let spans: [Float] = [0, 0.7, 3, 40, 1008, 1e6]
        for columns in [1, 2, 5, 19, 40] {
            for span in spans {
                let width = 4 * columns - random.in(0...3), height = random.in(1...40)
                let y = random.in(0...(height - 1) / 4)
                let source = GuardedPlane<UInt8>(
                    sourceMemory, columns: -3..<4 * columns + 3, rows: -3..<7, random: &random)
                // Sub-pixel sampling needs one sample more than the margin; a cell that extends beyond the plane begins
                // inside.
                let reach = margin + 1
                let target = GuardedPlane<UInt8>(
                    targetMemory, columns: -reach..<max(width, 8) + reach, rows: -reach..<max(height, 8) + reach,
                    random: &random)
                source.fill(Pattern.any(&random), maximum: 255, random: &random)
                target.fill(Pattern.any(&random), maximum: 255, random: &random)
                var place = vfx_warp_source(
                    origin: UnsafeRawPointer(target.origin), stride: target.stride, width: Int32(max(width, 8)),
                    height: Int32(max(height, 8)), margin: Int32(margin))
                let vx = (0..<columns).map { _ in span * Float(random.in(-1000...1000)) / 1000 }
                let vy = (0..<columns).map { _ in span * Float(random.in(-1000...1000)) / 1000 }
                func run(_ kernels: vfx_kernel_table) -> Destination<UInt32> {
                    var out = Destination<UInt32>(width: 7 * columns)
                    out.write { row, _ in
                        kernels.flow_measure_row(
                            source.read, source.stride, &place, Int32(y), Int32(columns), vx, vy,
                            kernels.lk_residual_8x8,
                            UnsafeMutableRawPointer(row).assumingMemoryBound(to: vfx_flow_residual.self))
                    }
                    return out
                }
                let got = run(table)
                #expect(got == run(plain))
                let values = got.row(0, count: 7 * columns).map { Float(bitPattern: $0) }
                for x in 0..<columns {
                    let v = Array(values[7 * x..<7 * x + 7])
                    Self.check(
                        v, x, y, (vx[x], vy[x]), place, source, target, margin: margin, patch: plain.lk_residual_8x8)
                }
            }
        }
    }

    private static func check(
        _ got: [Float], _ x: Int, _ y: Int, _ v: (x: Float, y: Float), _ place: vfx_warp_source,
        _ source: GuardedPlane<UInt8>, _ target: GuardedPlane<UInt8>, margin: Int, patch: vfx_lk_residual_fn
    ) {
        // The position of the patch in 1/32 sample, limited to what can be read; rounded as in the kernel, in single
        // precision with an offset that keeps the number positive.
        func landed(_ start: Int, _ v: Float, _ size: Int32) -> Int {
            let low = Float(-margin), high = Float(Int(size) + margin - 8)
            let moved = min(max(v, low - Float(start)), high - Float(start))
            return Int(moved * 32 + 65536.5) - 65536
        }
        let qx = landed(4 * x - 2, v.x, place.width), qy = landed(4 * y - 2, v.y, place.height)
        #expect(got[4] == Float(qx) / 32 && got[5] == Float(qy) / 32)
        var sums = vfx_lk_residual()
        patch(
            source.read + 4 * x - 2 - 2 * source.stride, source.stride,
            target.read + (4 * y - 2 + qy >> 5) * target.stride + 4 * x - 2 + qx >> 5, target.stride, Int32(qx & 31),
            Int32(qy & 31), &sums)
        #expect(Array(got[0..<4]) == [Float(sums.dx), Float(sums.dy), Float(sums.d), Float(sums.abs)])
        func outside(_ start: Float, _ size: Int32) -> Float { max(0, -start) + max(0, start + 8 - Float(size)) }
        let beyond = outside(Float(4 * x - 2) + got[4], place.width) + outside(Float(4 * y - 2) + got[5], place.height)
        #expect(abs(got[6] - max(0, 1 - beyond / 4)) < 0.02)
    }
}
