import Kernels
import Testing

@Suite struct TableTests {
    @Test func everySlotIsFilledAtLevelC() {
        let addresses = Slots.addresses(vfx_kernels_make(VFX_CPU_C))
        #expect(addresses.count == Slots.names.count, "a slot is missing from the list of the tests")
        #expect(addresses.allSatisfy { $0 != 0 })
    }

    @Test(arguments: KernelLevel.aboveC) func everySlotIsFilled(_ level: KernelLevel) {
        #expect(Slots.addresses(vfx_kernels_make(level.level)).allSatisfy { $0 != 0 })
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

/// Which kernels a level replaces. One test for each level, so that the report says which of them this processor lacks.
@Suite struct LevelTests {
    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_SSE41), "this processor does not run SSE4.1"))
    func sse41HasKernelsOfItsOwn() {
        expectOwnKernels(VFX_CPU_SSE41, butFor: Slots.withoutSSE41)
    }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX2), "this processor does not run AVX2"))
    func avx2HasKernelsOfItsOwn() {
        expectOwnKernels(VFX_CPU_AVX2, butFor: Set(Slots.onlyC.keys))
    }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX512), "this processor does not run AVX-512"))
    func avx512HasKernelsOfItsOwn() {
        expectOwnKernels(VFX_CPU_AVX512, butFor: Set(Slots.onlyC.keys))
    }

    /// Every slot has a function other than C's, but for those that are listed as left to C: a version that is added later
    /// is not left untested, and one that gets lost is missed.
    private func expectOwnKernels(_ level: vfx_cpu_level, butFor leftToC: Set<String>) {
        let table = vfx_kernels_make(level)
        #expect(table.level == level)
        let mine = Slots.addresses(table), plain = Slots.addresses(vfx_kernels_make(VFX_CPU_C))
        for (name, (own, c)) in zip(Slots.names, zip(mine, plain)) {
            #expect((own == c) == leftToC.contains(name), "\(name)")
        }
    }
}
