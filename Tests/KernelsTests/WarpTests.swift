import Kernels
import Testing

/// Properties of warped rows.
@Suite struct WarpTests {
    /// Rounded to whole levels, the deeper samples are those of the 8-bit kernel.
    @Test(arguments: [0, vfx_cpu_detect()]) func deeperSamplesRoundToTheOthers(_ level: Int32) {
        let table = vfx_kernels_make(level)
        var random = Random(seed: 9)
        let plane = GuardedPlane<UInt8>(GuardedMemory(size: 16384), columns: -2..<102, rows: -2..<7, random: &random)
        plane.fill(.random, maximum: 255, random: &random)
        var source = vfx_warp_source(
            origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: 100, height: 5, margin: 0)
        let vx = (0..<100).map { Int16($0 % 37 * 5 - 90) }, vy = (0..<100).map { Int16($0 % 11 * 9 - 50) }
        var row = Destination<UInt8>(width: 100), deeper = Destination<UInt16>(width: 100)
        row.write { row, _ in table.warp_row_8(row, &source, 0, 2, 100, vx, vy, 16384, 255) }
        deeper.write { row, _ in table.warp_row_8_to_12(row, &source, 0, 2, 100, vx, vy, 16384, 4080) }
        let rounded = zip(row.row(0, count: 100), deeper.row(0, count: 100)).map { (Int($0), (Int($1) + 8) >> 4) }
        // The deeper sample is rounded before, by at most 1/32 level.
        #expect(rounded.allSatisfy { abs($0 - $1) <= 1 } && rounded.count(where: { $0 == $1 }) >= 90)
    }

    /// With zero vectors, every sample is that of the source.
    @Test(arguments: [0, vfx_cpu_detect()]) func stillRowIsACopy(_ level: Int32) {
        let table = vfx_kernels_make(level)
        var random = Random(seed: 3)
        let plane = GuardedPlane<UInt16>(GuardedMemory(size: 16384), columns: -2..<102, rows: -2..<7, random: &random)
        plane.fill(.random, maximum: 65535, random: &random)
        var source = vfx_warp_source(
            origin: UnsafeRawPointer(plane.origin), stride: plane.stride, width: 100, height: 5, margin: 0)
        let zero = [Int16](repeating: 0, count: 100)
        var row = Destination<UInt16>(width: 100)
        row.write { row, _ in table.warp_row_16(row, &source, 0, 3, 100, zero, zero, 16384, 65535) }
        #expect(row.row(0, count: 100) == (0..<100).map { plane.origin[3 * plane.stride + $0] })
    }
}
