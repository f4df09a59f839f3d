import Foundation
import Kernels
import Testing

@Suite struct TableTests {
    @Test(arguments: [KernelLevel(level: VFX_CPU_C)] + KernelLevel.aboveC) func everySlotIsFilled(_ level: KernelLevel)
    {
        let table = vfx_kernels_make(level.level)
        for slot in KernelSlot.all { #expect(slot.address(in: table) != 0, "\(slot.name)") }
    }

    @Test func theListIsTheTable() {
        let pointers = MemoryLayout<vfx_kernel_table>.size / MemoryLayout<UInt>.size - 1
        #expect(KernelSlot.all.count == pointers)
        #expect(Set(KernelSlot.all.map(\.name)).count == pointers)
    }

    /// Every slot with a version above C is named by a test that compares it with C.
    @Test func everySlotIsCompared() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let tests = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
            .joined()
        for slot in KernelSlot.all where !slot.levels.isEmpty {
            #expect(tests.contains("\"\(slot.name)\""), "no test compares \(slot.name)")
        }
    }

    @Test func levelIsClampedToTheProcessor() {
        let most = vfx_cpu_detect()
        #expect(vfx_kernels_make(VFX_CPU_AVX512).level == most)
        #expect(vfx_kernels_make(VFX_CPU_C).level == VFX_CPU_C)
    }

    @Test(arguments: ["c", "sse41", "avx2", "avx512"]) func namesRoundTrip(_ name: String) {
        let level = vfx_cpu_parse(name)
        #expect(level >= 0)
        #expect(String(cString: vfx_cpu_name(vfx_cpu_level(UInt32(level)))) == name)
    }

    @Test(arguments: ["", "C", "avx", "avx512x"]) func unknownNamesAreRefused(_ name: String) {
        #expect(vfx_cpu_parse(name) == -1)
    }

    @Test func cubicTapsAddTo64() {
        withUnsafeBytes(of: vfx_cubic_taps) { bytes in
            for fraction in 0..<32 {
                let sum = (0..<4).reduce(0) { $0 + Int(Int8(bitPattern: bytes[4 * fraction + $1])) }
                #expect(sum == 64, "fraction \(fraction)")
            }
        }
    }
}

/// Which kernels a level replaces. Each level has its own test, so that the report shows which levels this processor
/// lacks.
@Suite struct LevelTests {
    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_SSE41), "this processor does not run SSE4.1"))
    func sse41HasKernelsOfItsOwn() { expectOwnKernels(VFX_CPU_SSE41, above: VFX_CPU_C) }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX2), "this processor does not run AVX2"))
    func avx2HasKernelsOfItsOwn() { expectOwnKernels(VFX_CPU_AVX2, above: VFX_CPU_SSE41) }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX512), "this processor does not run AVX-512"))
    func avx512HasKernelsOfItsOwn() { expectOwnKernels(VFX_CPU_AVX512, above: VFX_CPU_AVX2) }

    /// A slot's function differs from that of the level below if and only if the list says so.
    private func expectOwnKernels(_ level: vfx_cpu_level, above below: vfx_cpu_level) {
        let table = vfx_kernels_make(level), lower = vfx_kernels_make(below)
        #expect(table.level == level)
        for slot in KernelSlot.all {
            #expect((slot.address(in: table) != slot.address(in: lower)) == slot.levels.contains(level), "\(slot.name)")
        }
    }
}
