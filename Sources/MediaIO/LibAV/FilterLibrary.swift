import CLibAV

/// libavfilter, which is loaded when it is first used.
enum FilterLibrary {
    /// Its functions; nil if it cannot be loaded.
    nonisolated(unsafe) static let functions = vfx_load_filters()
}
