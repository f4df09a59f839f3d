import Foundation
import Kernels
import Testing

@Suite struct TableTests {
    private static let levels = Array(0...vfx_cpu_detect())

    @Test(arguments: levels) func everySlotIsFilled(_ level: Int32) {
        let table = vfx_kernels_make(level)
        #expect(table.level == level)
        for slot in KernelSlot.all { #expect(slot.address(in: table) != 0, "\(slot.name)") }
    }

    @Test func theListIsTheTable() {
        let pointers = MemoryLayout<vfx_kernel_table>.size / MemoryLayout<UInt>.size - 1
        #expect(KernelSlot.all.count == pointers)
        #expect(Set(KernelSlot.all.map(\.name)).count == pointers)
    }

    /// A slot's function differs from that of the level below if and only if the level has a version of it.
    @Test(arguments: levels.dropFirst()) func aLevelReplacesWhatItLists(_ level: Int32) {
        let table = vfx_kernels_make(level), lower = vfx_kernels_make(level - 1)
        for slot in KernelSlot.all {
            #expect((slot.address(in: table) != slot.address(in: lower)) == slot.levels.contains(level), "\(slot.name)")
        }
        #expect(KernelSlot.all.contains { $0.levels.contains(level) })
    }

    /// Skipped, rather than passed, where some versions cannot run.
    @Test(.enabled(if: vfx_cpu_detect() + 1 == vfx_cpu_level_count(), "this processor lacks the highest levels"))
    func everyLevelOfTheArchitectureIsTested() { #expect(Self.levels.count == vfx_cpu_level_count()) }

    @Test func levelIsClampedToTheProcessor() {
        let most = vfx_cpu_detect()
        #expect(vfx_kernels_make(vfx_cpu_level_count() + 1).level == most)
        #expect(vfx_kernels_make(VFX_CPU_C).level == VFX_CPU_C)
        #expect(most < vfx_cpu_level_count())
    }

    @Test(arguments: 0..<vfx_cpu_level_count()) func namesRoundTrip(_ level: Int32) {
        #expect(vfx_cpu_parse(vfx_cpu_name(level)) == level)
        #expect(String(cString: vfx_cpu_name(VFX_CPU_C)) == "c")
    }

    @Test(arguments: ["", "C", "c ", "cc", "nothing"]) func unknownNamesAreRefused(_ name: String) {
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

/// Only the folder of an architecture, and its versions of kernels, know the architecture.
@Suite struct ArchitectureTests {
    /// Lines that may name an instruction set all the same, with the reason.
    private static let exceptions = [
        // x264's own option, and libav's flag for it.
        "Sources/MediaIO/Writer/EncoderSettings.swift",
        // Chooses which folder's definition is linked.
        "Kernels/dispatch/dispatch.c",
        // Tells users which levels there are.
        "Kernels/include/vfx_cpu.h",
        // Say where the lists are.
        "Kernels/include/vfx_kernel_list.h", "Kernels/internal/architecture.h",
        // Trains a network, on a machine that has what it needs.
        "Sources/FrameEffects/SuperResolutionScaler/Training/Restoration/restoration_gradients.c",
        // Numbers of system calls.
        "Tests/TestSupport/Waiting.swift",
        // This test.
        "Tests/KernelsTests/TableTests.swift",
    ]

    @Test func othersNameNone() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let names = try Regex("(?i)sse ?4|avx|(^|[^0])x86|immintrin|__m128|__m256|arm_neon|aarch64|\"neon\"|dotprod")
        let versions = try Regex(#"_(sse41|avx2|avx512|neon|dotprod|x86)\.[ch]$"#)
        var read = 0
        for folder in ["Package.swift", "Sources", "Kernels", "Tests"] {
            let top = root.appending(path: folder)
            let files = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil)?.allObjects ?? []
            for case let file as URL in files + [top] {
                guard ["swift", "c", "h"].contains(file.pathExtension) else { continue }
                let path = String(file.path.dropFirst(root.path.count + 1))
                guard !path.hasPrefix("Kernels/x86/"), !path.hasPrefix("Kernels/arm/"),
                    path.firstMatch(of: versions) == nil,
                    !Self.exceptions.contains(path)
                else { continue }
                read += 1
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    // Comments may name instruction sets.
                    let code = line.prefix(upTo: line.range(of: "//")?.lowerBound ?? line.endIndex)
                    let isNeutral = code.firstMatch(of: names) == nil
                    #expect(isNeutral, "\(path): \(line)")
                }
            }
        }
        #expect(read > 500)
    }
}
