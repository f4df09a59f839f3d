package import Kernels

/// What computations run on: a number of threads, and the kernels for a level of instruction sets.
///
/// Whoever starts a computation creates a context, and everything that the computation calls receives it. The result
/// depends on neither the threads nor the kernels.
public struct ExecutionContext: Sendable {
    /// The number of threads that work on one frame, at least 1.
    public let threads: Int
    private let table: KernelTable

    /// Creates a context with the kernels for this processor.
    ///
    /// The environment variable `VFX_CPU` can name a lower level of instruction sets than the highest that the processor
    /// supports.
    /// - Parameter threads: the number of threads, or nil for one per available processor; values below 1 are treated as 1.
    public init(threads: Int? = nil) { self.init(threads: threads, kernels: .selected) }

    /// Creates a context with the kernels of a table.
    package init(threads: Int? = nil, kernels table: KernelTable) {
        self.threads = max(1, threads ?? processorCount)
        self.table = table
    }

    /// One thread, with the kernels for this processor.
    public static let serial = ExecutionContext(threads: 1)

    /// The kernels.
    package var kernels: UnsafePointer<vfx_kernel_table> { table.functions }

    /// The name of the level of instruction sets in use: `c`, or a name of this architecture, such as `avx2` or `neon`.
    public var instructionSet: String { table.name }
}

extension ExecutionContext: Hashable {
    public static func == (a: ExecutionContext, b: ExecutionContext) -> Bool {
        a.threads == b.threads && a.kernels.pointee.level == b.kernels.pointee.level
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(threads)
        hasher.combine(kernels.pointee.level)
    }
}
