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

    /// The same rectangle in pixels, its origin at the upper left corner; what is no number counts as 0.
    public func pixels(width pictureWidth: Int, height pictureHeight: Int) -> (x: Int, y: Int, width: Int, height: Int)
    {
        func whole(_ share: Double, of side: Int) -> Int {
            let length = (share * Double(side)).rounded()
            return length.isNaN ? 0 : Int(max(-1e9, min(1e9, length)))
        }
        let (left, top) = (whole(x, of: pictureWidth), whole(1 - y - height, of: pictureHeight))
        return (left, top, whole(x + width, of: pictureWidth) - left, whole(1 - y, of: pictureHeight) - top)
    }
}
