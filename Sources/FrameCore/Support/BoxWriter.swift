extension ByteWriter {
    /// Writes a box of the ISO base media file format.
    package mutating func box(_ kind: String, _ contents: (inout ByteWriter) -> Void) {
        var inner = ByteWriter()
        contents(&inner)
        big(UInt32(inner.count + 8))
        text(kind)
        raw(inner.bytes)
    }

    /// Writes a box with version and flags.
    package mutating func fullBox(
        _ kind: String, version: UInt8 = 0, flags: UInt32 = 0, _ contents: (inout ByteWriter) -> Void
    ) {
        box(kind) {
            $0.big(UInt32(version) << 24 | flags)
            contents(&$0)
        }
    }
}
