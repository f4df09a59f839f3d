internal import Glibc
package import Kernels

/// The kernels for this processor, selected once. `VFX_CPU=c|sse41|avx2|avx512` can lower the instruction-set level,
/// but cannot raise it above what the hardware supports.
package let kernels: vfx_kernel_table = {
    var level = vfx_cpu_detect()
    if let name = getenv("VFX_CPU"), case let wanted = vfx_cpu_parse(name), wanted >= 0 {
        level = vfx_cpu_level(UInt32(wanted))
    }
    return vfx_kernels_make(level)
}()
