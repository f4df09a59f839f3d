internal import Glibc
package import Kernels

/// The kernels of one level of instruction sets.
package final class KernelTable: Sendable {
    /// A pointer to the version of each kernel.
    package let functions: vfx_kernel_table

    /// Creates the table of a level, or of the highest level that the processor supports if that is lower.
    private init(level: Int32) { functions = vfx_kernels_make(level) }

    /// The table of the level with the given name; nil if this processor does not support such a level.
    package convenience init?(_ name: String) {
        let level = vfx_cpu_parse(name)
        guard level >= 0, level <= vfx_cpu_detect() else { return nil }
        self.init(level: level)
    }

    /// The name of the level.
    package var name: String { String(cString: vfx_cpu_name(functions.level)) }

    /// The names of the levels that this processor supports, in ascending order. The first is plain C.
    package static var levelNames: [String] { (0...vfx_cpu_detect()).map { String(cString: vfx_cpu_name($0)) } }

    /// The names of the levels of this architecture, whether or not this processor supports them.
    package static var architectureLevelNames: [String] {
        (0..<vfx_cpu_level_count()).map { String(cString: vfx_cpu_name($0)) }
    }

    /// The table for this processor, selected once. The environment variable `VFX_CPU` can name a lower level than the
    /// highest, but cannot raise it above what the processor supports.
    static let selected = KernelTable(
        level: getenv("VFX_CPU").map { vfx_cpu_parse($0) }.flatMap { $0 < 0 ? nil : $0 } ?? vfx_cpu_detect())
}
