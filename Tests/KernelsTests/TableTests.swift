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

/// Says in the report which levels were compared with C, and which this processor lacks.
@Suite struct LevelTests {
    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_SSE41), "this processor does not run SSE4.1"))
    func sse41IsTested() {
        #expect(KernelLevel.aboveC.contains { $0.level == VFX_CPU_SSE41 })
    }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX2), "this processor does not run AVX2"))
    func avx2IsTested() {
        #expect(KernelLevel.aboveC.contains { $0.level == VFX_CPU_AVX2 })
    }

    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX512), "this processor does not run AVX-512"))
    func avx512IsTested() {
        #expect(KernelLevel.aboveC.contains { $0.level == VFX_CPU_AVX512 })
    }

    /// What the list says is left to C at SSE4.1 is, so that a version added later is not left untested.
    @Test(arguments: Slots.withoutSSE41.sorted()) func slotWithoutSSE41IsC(_ slot: String) throws {
        let index = try #require(Slots.names.firstIndex(of: slot))
        #expect(
            Slots.addresses(vfx_kernels_make(VFX_CPU_SSE41))[index]
                == Slots.addresses(vfx_kernels_make(VFX_CPU_C))[index])
    }

    /// Likewise at the highest level; every other slot has a version of its own there.
    @Test(.enabled(if: KernelLevel.isAvailable(VFX_CPU_AVX2), "this processor does not run AVX2"))
    func slotsOnlyInCAreListed() {
        let c = Slots.addresses(vfx_kernels_make(VFX_CPU_C)), most = Slots.addresses(vfx_kernels_make(VFX_CPU_AVX2))
        for (name, (mine, plain)) in zip(Slots.names, zip(most, c)) {
            #expect((mine == plain) == (Slots.onlyC[name] != nil), "\(name)")
        }
    }
}
