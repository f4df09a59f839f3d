package import FrameCore
package import Imaging

extension FieldStructure {
    /// Opens the input of another reader again, and looks at places that are spread over the whole clip.
    ///
    /// - Parameters:
    ///   - reader: its position does not change.
    ///   - flag: the field order that the file states; taken where the pictures show none.
    ///   - places: the number of groups of frames that are looked at.
    ///   - context: the threads and kernels to use.
    /// - Returns: nil if the input cannot be opened again, or if it is not seekable.
    /// - Throws: `FrameError` if it can no longer be read.
    package init?(
        measuring reader: MediaReader, flag: FieldOrder? = nil, places: Int = places, context: ExecutionContext
    ) throws {
        guard reader.isReopenable, reader.isSeekable else { return nil }
        var options = reader.options
        options.keepsOtherStreams = false
        try self.init(
            of: MediaReader(reader.input, options: options), flag: flag, places: places, context: context)
    }
}
