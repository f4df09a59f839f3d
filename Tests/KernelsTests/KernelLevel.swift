import Kernels
import Testing

/// An entry of the list of kernels.
struct KernelSlot: Sendable {
    let name: String
    /// Levels above C that add a version.
    let levels: [vfx_cpu_level]
    private let offset: Int

    static let all: [KernelSlot] = {
        var count: Int32 = 0
        let slots = vfx_kernel_slots(&count)
        return (0..<Int(count)).map { KernelSlot(slots[$0]) }
    }()

    private init(_ slot: vfx_kernel_slot) {
        name = String(cString: slot.name)
        offset = slot.offset
        levels = [(VFX_CPU_SSE41, slot.sse41), (VFX_CPU_AVX2, slot.avx2), (VFX_CPU_AVX512, slot.avx512)]
            .filter { $0.1 != VFX_KERNEL_NONE }.map(\.0)
    }

    /// Address of the slot's function.
    func address(in table: vfx_kernel_table) -> UInt {
        withUnsafeBytes(of: table) { $0.load(fromByteOffset: offset, as: UInt.self) }
    }
}

/// A level above C, whose kernels are compared with the C versions.
struct KernelLevel: Sendable, CustomTestStringConvertible {
    let level: vfx_cpu_level

    /// Levels above C that this processor supports; ``LevelTests`` reports the tests of the other levels as skipped.
    static let aboveC = [VFX_CPU_SSE41, VFX_CPU_AVX2, VFX_CPU_AVX512].filter(isAvailable).map { KernelLevel(level: $0) }

    /// The levels of ``aboveC`` that use a version of the slot other than the C version.
    static func with(_ slot: String) -> [KernelLevel] {
        let own = KernelSlot.all.first { $0.name == slot }?.levels ?? []
        return aboveC.filter { level in own.contains { $0.rawValue <= level.level.rawValue } }
    }

    static func isAvailable(_ level: vfx_cpu_level) -> Bool { level.rawValue <= vfx_cpu_detect().rawValue }

    var testDescription: String { String(cString: vfx_cpu_name(level)) }

    /// Returns the tables of C and of this level; fails if the C function would be compared with itself.
    func tables(for slot: String) throws -> (c: vfx_kernel_table, level: vfx_kernel_table) {
        let c = vfx_kernels_make(VFX_CPU_C), mine = vfx_kernels_make(level)
        #expect(mine.level == level)
        let entry = try #require(KernelSlot.all.first { $0.name == slot }, "\(slot) is not a slot")
        try #require(entry.address(in: mine) != entry.address(in: c), "\(slot) at \(testDescription) is C's")
        return (c, mine)
    }
}
