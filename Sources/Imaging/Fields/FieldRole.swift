/// How the two fields of a frame belong to pictures.
///
/// "First" and "second" are the fields in the order in which they are shown.
package enum FieldRole: Sendable, Hashable {
    /// Both show the same picture, which begins with this frame.
    case whole
    /// The first belongs to the picture of the second field of the frame before; the second begins a picture.
    case straddling
    /// Both belong to the picture of the second field of the frame before.
    case continued
    /// They were captured one after the other: the frame is interlaced.
    case separate
}
