package import FrameCore

/// Threads as written on the command line.
package enum ThreadCount {
    /// - Parameter text: a whole number from 1 to 256; nil takes one per core.
    package static func parse(_ text: String?) throws(FrameError) -> Int {
        guard let text else { return available }
        return try NumberValue.whole(text, option: "--threads", range: 1...256)
    }

    /// One per core.
    package static var available: Int { processorCount }
}
