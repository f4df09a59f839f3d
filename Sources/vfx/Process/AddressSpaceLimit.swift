internal import Foundation

/// The limit on this process's address space (`RLIMIT_AS`, `ulimit -v`), and how the process keeps below it.
enum AddressSpaceLimit {
    private static let arenaMaximum: Int32 = -8
    private static let stackSize = 2 << 20
    /// Where there are more addresses than that, nothing need be saved.
    private static let narrow = 4 << 30

    /// In bytes; nil without a limit.
    static let bytes: Int? = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur < UInt64(Int.max) else {
            return nil
        }
        return Int(limit.rlim_cur)
    }()

    /// Keeps what is set aside and not used small where addresses are limited: one heap instead of one for each thread
    /// (64 MiB each), and stacks of the codecs' threads that are smaller than the usual 8 MiB.
    ///
    /// To be called before any thread is started.
    static func prepare() {
        guard let bytes, bytes < narrow else { return }
        // No header that Swift imports declares the two, and other C libraries lack them.
        if getenv("MALLOC_ARENA_MAX") == nil, let symbol = dlsym(nil, "mallopt") {
            _ = unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)(arenaMaximum, 1)
        }
        var attributes = pthread_attr_t()
        guard let symbol = dlsym(nil, "pthread_setattr_default_np"), pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        _ = unsafeBitCast(symbol, to: (@convention(c) (UnsafePointer<pthread_attr_t>) -> Int32).self)(&attributes)
    }
}
