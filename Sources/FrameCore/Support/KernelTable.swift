internal import Glibc
package import Kernels

/// The kernels of a level of instruction sets: a pointer to the version of each.
package struct KernelTable: @unchecked Sendable {
    /// The functions. They are neither changed nor released, so any thread may read them.
    package let functions: UnsafePointer<vfx_kernel_table>

    private init(level: Int32) {
        let table = UnsafeMutablePointer<vfx_kernel_table>.allocate(capacity: 1)
        table.initialize(to: vfx_kernels_make(level))
        functions = UnsafePointer(table)
    }

    /// The tables of the levels that this processor supports, in ascending order. The first is plain C.
    package static let all: [KernelTable] = (0...vfx_cpu_detect()).map { KernelTable(level: $0) }

    /// The table for this processor, selected once. The environment variable `VFX_CPU` can name a lower level than the
    /// highest, but cannot raise it above what the processor supports.
    static let selected: KernelTable = {
        let wanted = getenv("VFX_CPU").map { vfx_cpu_parse($0) } ?? -1
        return all[wanted < 0 ? all.count - 1 : min(Int(wanted), all.count - 1)]
    }()

    /// The name of the level.
    package var name: String { String(cString: vfx_cpu_name(functions.pointee.level)) }

    /// The names of the levels of this architecture, in ascending order, whether or not this processor supports them.
    package static var architectureLevelNames: [String] {
        (0..<vfx_cpu_level_count()).map { String(cString: vfx_cpu_name($0)) }
    }

    /// The names of the levels that this processor supports, in ascending order.
    package static var levelNames: [String] { all.map(\.name) }
}
