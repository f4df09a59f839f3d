import KernelCases
import Kernels
import Testing

/// An entry of the list of kernels.
struct KernelSlot: Sendable, CustomTestStringConvertible {
    let name: String
    /// The levels of this processor that have a version of the kernel, plain C first.
    let levels: [Int32]
    private let offset: Int

    static let all: [KernelSlot] = {
        var count: Int32 = 0
        let slots = vfx_kernel_slots(&count)
        return (0..<Int(count)).map { index in
            let levels = (0...vfx_cpu_detect()).filter { vfx_kernel_has_version(slots + index, $0) != 0 }
            return KernelSlot(
                name: String(cString: slots[index].name), levels: levels, offset: slots[index].offset)
        }
    }()

    var testDescription: String { name }

    /// Address of the slot's function.
    func address(in table: vfx_kernel_table) -> UInt {
        withUnsafeBytes(of: table) { $0.load(fromByteOffset: offset, as: UInt.self) }
    }
}

/// Every version of every kernel against plain C, with the cases of `Tests/KernelCases`. `.ci/arm` runs them with more seeds.
@Suite struct KernelCaseTests {
    @Test(arguments: KernelSlot.all) func versionsMatchC(_ slot: KernelSlot) {
        var digests: Set<UInt64> = []
        for level in slot.levels {
            var digest: UInt64 = 0
            let failure = kernel_case_run(slot.name, level, 1, &digest).map { String(cString: $0) }
            #expect(failure == nil, "\(String(cString: vfx_cpu_name(level)))")
            digests.insert(digest)
        }
        #expect(digests.count == 1)
    }

    @Test func aKernelWithoutACaseIsReported() {
        var digest: UInt64 = 0
        #expect(kernel_case_run("nothing", 0, 1, &digest) != nil)
        #expect(kernel_case_exists("nothing") == 0)
        for slot in KernelSlot.all { #expect(kernel_case_exists(slot.name) != 0, "\(slot.name)") }
    }
}
