import Kernels
import Testing

/// Row kernels: all widths and alignments, exact read bounds, guard samples around the output.
@Suite struct RowTests {
    @Test(arguments: KernelLevel.aboveC, seeds) func downsample(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "downsample")
        var random = Random(seed: seed)
        let memory = GuardedMemory(size: 1 << 18)
        for width in widths {
            for pattern in Pattern.allCases {
                let height = random.in(1...7)
                let source = GuardedPlane<UInt8>(
                    memory, columns: 0..<(2 * width), rows: 0..<(2 * height), random: &random)
                source.fill(pattern, maximum: 255, random: &random)
                var wanted = Destination<UInt8>(width: width, height: height, misalignment: random.in(0...31)),
                    got = wanted
                wanted.write { tables.c.downsample($0, $1, source.read, source.stride, Int32(width), Int32(height)) }
                got.write { tables.level.downsample($0, $1, source.read, source.stride, Int32(width), Int32(height)) }
                #expect(got == wanted, "\(width)x\(height), \(pattern), seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.aboveC, Int32(0)...8) func reduceDepth(_ level: KernelLevel, _ shift: Int32) throws {
        let tables = try level.tables(for: "reduce_depth")
        var random = Random(seed: UInt64(shift))
        let memory = GuardedMemory(size: 1 << 14)
        for width in widths {
            for pattern in Pattern.allCases {
                for maximum in [UInt16.max, UInt16(255) << UInt16(shift), 1023] {
                    let source = GuardedPlane<UInt16>(memory, columns: 0..<width, rows: 0..<1, random: &random)
                    source.fill(pattern, maximum: maximum, random: &random)
                    var wanted = Destination<UInt8>(width: width, misalignment: random.in(0...31)), got = wanted
                    wanted.write { row, _ in tables.c.reduce_depth(row, source.read, Int32(width), shift) }
                    got.write { row, _ in tables.level.reduce_depth(row, source.read, Int32(width), shift) }
                    #expect(got == wanted, "\(width) samples, \(pattern), shift \(shift)")
                }
            }
        }
    }

    private func checkBlend<S: FixedWidthInteger & UnsignedInteger & BitwiseCopyable, D: Equatable & BitwiseCopyable>(
        _ expected: vfx_blend_row_fn, _ tested: vfx_blend_row_fn, maximum: S, to _: D.Type, seed: UInt64
    ) where D: FixedWidthInteger & UnsignedInteger {
        var random = Random(seed: seed)
        let memoryA = GuardedMemory(size: 4096), memoryB = GuardedMemory(size: 4096),
            weightMemory = GuardedMemory(size: 4096)
        for width in widths {
            for pattern in Pattern.allCases {
                let a = GuardedPlane<S>(memoryA, columns: 0..<width, rows: 0..<1, random: &random)
                let b = GuardedPlane<S>(memoryB, columns: 0..<width, rows: 0..<1, random: &random)
                a.fill(pattern, maximum: maximum, random: &random)
                b.fill(Pattern.any(&random), maximum: maximum, random: &random)
                let weights = weightMemory.array(
                    (0..<width).map { _ in UInt16(random.in(0...3) == 0 ? 256 : random.in(0...256)) })
                var wanted = Destination<D>(width: width, misalignment: random.in(0...31)), got = wanted
                wanted.write { row, _ in expected(row, a.origin, b.origin, weights, Int32(width)) }
                got.write { row, _ in tested(row, a.origin, b.origin, weights, Int32(width)) }
                #expect(got == wanted, "\(width) samples, \(pattern), seed \(seed)")
            }
        }
    }

    @Test(arguments: KernelLevel.aboveC, seeds) func blend8(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "blend_row_8")
        checkBlend(tables.c.blend_row_8, tables.level.blend_row_8, maximum: UInt8(255), to: UInt8.self, seed: seed)
    }

    @Test(arguments: KernelLevel.aboveC, seeds) func blend16(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "blend_row_16")
        for maximum in [UInt16(1023), 65535] {
            checkBlend(
                tables.c.blend_row_16, tables.level.blend_row_16, maximum: maximum, to: UInt16.self, seed: seed)
        }
    }

    @Test(arguments: KernelLevel.aboveC, seeds) func blend12To8(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "blend_row_12_to_8")
        checkBlend(
            tables.c.blend_row_12_to_8, tables.level.blend_row_12_to_8, maximum: UInt16(4080), to: UInt8.self,
            seed: seed)
    }

    /// Samples in 1/16 level are rounded once: their exact mean decides, not that of rounded samples.
    @Test func blend12To8RoundsOnce() throws {
        let c = vfx_kernels_make(VFX_CPU_C)
        // 10 7/16 and 11: 10.72, 10 9/16 and 9 5/16: 9.94, 10 and 10 15/16: 10.47, 20 1/2 and 20 7/16: 20.47.
        let a: [UInt16] = [167, 169, 160, 328], b: [UInt16] = [176, 149, 175, 327],
            weights = [UInt16](repeating: 128, count: 4)
        var result = Destination<UInt8>(width: 4)
        result.write { row, _ in c.blend_row_12_to_8(row, a, b, weights, 4) }
        #expect(result.row(0, count: 4) == [11, 10, 10, 20])
    }

    @Test(arguments: KernelLevel.with("upsample_row"), Int32(0)...6) func expand(
        _ level: KernelLevel, _ sideLog2: Int32
    )
        throws
    {
        let tables = try level.tables(for: "upsample_row")
        var random = Random(seed: UInt64(sideLog2))
        let memoryA = GuardedMemory(size: 8192), memoryB = GuardedMemory(size: 8192),
            scratchMemory = GuardedMemory(size: 8192)
        for count in widths {
            for trial in 0..<6 {
                // As many cells as the row needs, fewer, and more.
                let needed = max(1, (count >> Int(sideLog2)) + random.in(-2...3))
                let extreme = trial & 1 == 0
                let cells = { (random: inout Random) in
                    (0..<needed).map { _ in
                        extreme
                            ? (random.next() & 1 == 0 ? Int16.min : Int16.max)
                            : Int16(truncatingIfNeeded: random.next())
                    }
                }
                let a = memoryA.array(cells(&random)), b = memoryB.array(cells(&random))
                let scratch = scratchMemory.array([Int16](repeating: 0, count: needed))
                let weight = Int32([0, 256, random.in(0...256)][random.in(0...2)])
                let shift = Int32(random.in(Int(-sideLog2)...4))
                var wanted = Destination<Int16>(width: count, misalignment: random.in(0...15)), got = wanted
                wanted.write { row, _ in
                    tables.c.upsample_row(row, Int32(count), a, b, weight, Int32(needed), sideLog2, shift, scratch)
                }
                got.write { row, _ in
                    tables.level.upsample_row(row, Int32(count), a, b, weight, Int32(needed), sideLog2, shift, scratch)
                }
                #expect(got == wanted, "\(count) samples, \(needed) cells, weight \(weight), shift \(shift)")
            }
        }
    }

    /// On both sides of an edge, up to the centres of the cells, the samples have the vectors of their own cells.
    @Test(arguments: [KernelLevel(level: VFX_CPU_C)] + KernelLevel.with("upsample_edges_row"), 1...6)
    func edges(_ level: KernelLevel, _ sideLog2: Int) {
        let kernel = vfx_kernels_make(level.level).upsample_edges_row
        let side = 1 << sideLog2
        var random = Random(seed: UInt64(sideLog2))
        for columns in [1, 2, 7, 8, 9, 31, 32] {
            for count in [1, columns * side / 2 + 1, columns * side, columns * side + 3] {
                let x = (0..<columns).map { _ in Int16(truncatingIfNeeded: random.next()) }
                let y = (0..<columns).map { _ in Int16(truncatingIfNeeded: random.next()) }
                let edges = (0...columns).map { _ in UInt8(random.in(0...7) == 0 ? random.in(1...255) : 0) }
                let shift = (x: random.in(-6...4), y: random.in(-6...4))
                func scaled(_ v: Int16, _ shift: Int) -> Int16 {
                    Int16(
                        clamping: Int(
                            (Double(v) * Double(sign: .plus, exponent: -shift, significand: 1) + 0.5).rounded(.down)))
                }
                var wanted = (x: [Int16](repeating: 11, count: count), y: [Int16](repeating: 12, count: count))
                for i in 0..<min(count, columns * side) {
                    let cell = i / side, corner = (i + side / 2) / side
                    guard edges[corner] != 0 else { continue }
                    wanted.x[i] = scaled(x[cell], shift.x)
                    wanted.y[i] = scaled(y[cell], shift.y)
                }
                var gotX = Destination<Int16>(width: count), gotY = gotX
                gotX.write { rowX, _ in
                    rowX.update(repeating: 11, count: count)
                    gotY.write { rowY, _ in
                        rowY.update(repeating: 12, count: count)
                        kernel(
                            rowX, rowY, Int32(count), x, y, edges, Int32(columns), Int32(sideLog2), Int32(shift.x),
                            Int32(shift.y))
                    }
                }
                var wantedX = Destination<Int16>(width: count), wantedY = wantedX
                wantedX.write { row, _ in row.update(from: wanted.x, count: count) }
                wantedY.write { row, _ in row.update(from: wanted.y, count: count) }
                #expect(gotX == wantedX && gotY == wantedY, "\(columns) cells, \(count) samples")
            }
        }
    }

    /// Cells one sample wide are the samples themselves; the last one is repeated.
    @Test(arguments: [VFX_CPU_C, vfx_cpu_detect()]) func cellsOneSampleWide(_ level: vfx_cpu_level) {
        let expand = vfx_kernels_make(level).upsample_row
        let a: [Int16] = [5, -6, 32767, -32768, 0, 100, 7], b: [Int16] = [5, -6, 32767, -32768, 256, 101, 8]
        for (shift, wanted) in [
            (Int32(0), [5, -6, 32767, -32768, 64, 100, 7, 7, 7]), (1, [3, -3, 16384, -16384, 32, 50, 4, 4, 4]),
        ] {
            var scratch = [Int16](repeating: 0, count: 7)
            var row = Destination<Int16>(width: 9)
            row.write { row, _ in expand(row, 9, a, b, 64, 7, 0, shift, &scratch) }
            #expect(row.row(0, count: 9) == wanted.map { Int16($0) }, "shift \(shift)")
        }
    }
}
