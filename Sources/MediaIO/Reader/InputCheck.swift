package import FrameCore
import Glibc

/// What can be said of an input before it is opened.
package enum InputCheck {
    /// - Throws: `FrameError` when reading `input` takes the net.
    package static func requireLocal(_ input: String) throws(FrameError) {
        guard InputAddress(input).isRemote else { return }
        throw FrameError(
            .input, "this is an address of the network, which is switched off; only local files are read",
            at: .init(file: input))
    }

    /// Addresses, pipes and names of picture sequences pass: only opening them tells.
    ///
    /// - Throws: `FrameError` when `input` is a local file that is missing or cannot be read.
    package static func requireReadable(_ input: String) throws(FrameError) {
        let location = FrameError.Location(file: input)
        guard !input.isEmpty else { throw FrameError(.input, "the input's name is empty") }
        let isLocal = input.hasPrefix("file:") || !input.contains(":") || InputAddress.isFile(input)
        guard input != "-", isLocal, !input.contains("%") else { return }
        guard let file = LocalFile(input) else {
            let cause = SystemError.last
            guard cause.number == EACCES else { throw FrameError(.input, "there is no such file", at: location) }
            throw FrameError(.input, "the file cannot be read", at: location, cause: cause)
        }
        if file.isDirectory { throw FrameError(.input, "this is a directory; name a video file", at: location) }
        if access(LocalFile.path(input), R_OK) != 0 {
            throw FrameError(.input, "the file cannot be read", at: location, cause: SystemError.last)
        }
    }
}
