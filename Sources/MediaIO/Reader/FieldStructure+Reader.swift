package import FrameCore
package import Imaging

extension FieldStructure {
    /// Opens the input of another reader again, and looks at places that are spread over the whole clip, or at its beginning if
    /// it is an elementary stream, which is not seekable.
    ///
    /// - Parameters:
    ///   - reader: its position does not change.
    ///   - flag: the field order that the file states; taken where the pictures show none.
    ///   - places: the number of groups of frames that are looked at.
    ///   - context: the threads and kernels to use.
    /// - Returns: nil if the input cannot be opened again, and for uncompressed streams, whose headers are believed.
    /// - Throws: `FrameError` if it can no longer be read.
    package init?(
        measuring reader: MediaReader, flag: FieldOrder? = nil, places: Int = places, context: ExecutionContext
    ) throws {
        guard reader.isReopenable, reader.isSeekable || reader.isElementaryStream else { return nil }
        var options = reader.options
        options.keepsOtherStreams = false
        let whole = try MediaReader(reader.input, options: options)
        guard var groups = try FrameGroups(whole) else { return nil }
        var stream = whole.stream
        // The beginning has to do for a clip of unknown length.
        if !reader.isSeekable { stream.duration = nil }
        try self.init(
            sampling: stream, from: groups.start, flag: flag, places: places, context: context
        ) { try groups.read($0, $1, $2) }
    }
}
