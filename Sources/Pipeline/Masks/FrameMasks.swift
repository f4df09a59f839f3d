package import Imaging

/// The mask of each source frame.
package enum FrameMasks: Sendable {
    /// The same for all.
    case still(PictureMask)
    /// One for each, in the order of the source frames.
    case sequence(any MaskSequence)
}

/// Masks that can be read from any of them on.
package protocol MaskSequence: Sendable {
    /// Returns a reader whose first mask is that of a source frame.
    ///
    /// - Parameter number: the number of the frame in its clip, from 0.
    /// - Throws: an error if there is no such mask.
    func reader(from number: Int) throws -> any MaskReader
}

/// Returns masks one after the other, to one thread at a time.
package protocol MaskReader: AnyObject {
    /// Returns the next mask.
    ///
    /// - Throws: an error if it cannot be read or if there are no more.
    func next() throws -> PictureMask
}
