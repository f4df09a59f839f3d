import Kernels
import Testing

/// Bilateral matching of cells along vectors that stay inside, leave the planes, or lead far outside.
@Suite struct BilateralMatchTests {
    private static let margin = 6

    /// A plane of which exactly the samples are readable that blocks may touch.
    private static func plane(
        _ memory: GuardedMemory, width: Int, height: Int, _ random: inout Random
    ) -> GuardedPlane<UInt8> {
        let plane = GuardedPlane<UInt8>(
            memory, columns: -margin..<width + margin + 1, rows: -margin..<height + margin + 1, random: &random)
        plane.fill(Pattern.any(&random), maximum: 255, random: &random)
        return plane
    }

    private static func source(_ plane: GuardedPlane<UInt8>, width: Int, height: Int) -> vfx_warp_source {
        vfx_warp_source(
            origin: plane.read, stride: plane.stride, width: Int32(width), height: Int32(height), margin: Int32(margin))
    }

    @Test(arguments: KernelLevel.with("bilateral_match_row"), seeds) func rows(
        _ level: KernelLevel, _ seed: UInt64
    ) throws {
        let tables = try level.tables(for: "bilateral_match_row")
        var random = Random(seed: seed)
        let memory = (0..<4).map { _ in GuardedMemory(size: 1 << 15) }
        for round in 0..<1500 {
            let width = random.in(8...60), height = random.in(8...60), cellLog2 = random.in(1...4)
            let a = Self.plane(memory[0], width: width, height: height, &random)
            let b = Self.plane(memory[1], width: width, height: height, &random)
            var match = vfx_bilateral_match(
                a: Self.source(a, width: width, height: height), b: Self.source(b, width: width, height: height),
                t: Int32([0, 1024, random.in(1...1023)][random.in(0...2)]), cell_log2: Int32(cellLog2),
                outside_difference: Int32(random.in(0...4080)), free_overhang: Int32(random.in(0...300)),
                ramp_log2: Int32(random.in(0...9)))
            let span = [0, 40, 500, 32256][random.in(0...3)], count = random.in(1...37)
            let cells = memory[2].array(
                (0..<count).map { _ in
                    let isStill = random.in(0...3) == 0
                    return vfx_matched_cell(
                        x: Int32(random.in(0...(width - 1) >> cellLog2)),
                        v: vfx_motion_vector(
                            x: isStill ? 0 : Int16(random.in(-span...span)),
                            y: isStill ? 0 : Int16(random.in(-span...span))))
                })
            let y = Int32(random.in(0...(height - 1) >> cellLog2))
            func run(_ compare: vfx_bilateral_match_row_fn) -> [Int32] {
                let differences = memory[3].array([Int32](repeating: -1, count: count + 1))
                compare(&match, y, cells, Int32(count), differences + 1)
                return (0...count).map { differences[$0] }
            }
            let wanted = run(tables.c.bilateral_match_row)
            #expect(run(tables.level.bilateral_match_row) == wanted, "round \(round), seed \(seed)")
            #expect(wanted[0] == -1 && wanted[1...].allSatisfy { 0...4080 ~= $0 })
        }
    }

    /// Two plain pictures, inside and outside.
    @Test func differencesAreMeans() {
        let plain = [UInt8](repeating: 10, count: 64 * 64), bright = [UInt8](repeating: 26, count: 64 * 64)
        let memory = (0..<2).map { _ in GuardedMemory(size: 64 * 64) }
        func source(_ samples: UnsafeMutablePointer<UInt8>) -> vfx_warp_source {
            vfx_warp_source(origin: samples + 16 * 64 + 16, stride: 64, width: 32, height: 32, margin: 8)
        }
        var match = vfx_bilateral_match(
            a: source(memory[0].array(plain)), b: source(memory[1].array(bright)), t: 512, cell_log2: 2,
            outside_difference: 64, free_overhang: 128, ramp_log2: 7)
        // Inside; half of the ramp outside; far outside.
        let cells = [(4, 33), (0, -256), (0, -9000)].map { x, v in
            vfx_matched_cell(x: Int32(x), v: vfx_motion_vector(x: Int16(v), y: 0))
        }
        var differences = [Int32](repeating: 0, count: 3)
        withExtendedLifetime(memory) {
            vfx_kernels_make(VFX_CPU_C).bilateral_match_row(&match, 4, cells, 3, &differences)
        }
        #expect(differences == [256, 160, 64])
    }
}
