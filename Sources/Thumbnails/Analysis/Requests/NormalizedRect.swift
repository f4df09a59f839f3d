/// A rectangle in fractions of a picture's sides, its origin at the picture's lower left corner.
public struct NormalizedRect: Sendable, Hashable {
    /// Left edge, 0…1.
    public var x: Double
    /// Lower edge, 0…1, counted upwards.
    public var y: Double
    /// Width, 0…1.
    public var width: Double
    /// Height, 0…1.
    public var height: Double

    /// Makes a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The same rectangle in pixels, its origin at the upper left corner.
    public func pixels(width pictureWidth: Int, height pictureHeight: Int) -> (x: Int, y: Int, width: Int, height: Int)
    {
        let (w, h) = (Double(pictureWidth), Double(pictureHeight))
        let (left, top) = (Int((x * w).rounded()), Int(((1 - y - height) * h).rounded()))
        return (
            left, top, Int(((x + width) * w).rounded()) - left, Int(((1 - y) * h).rounded()) - top
        )
    }
}
