public import FrameCore
internal import Imaging

/// The areas of the picture in which an effect keeps the pixels of the source, such as displays, watermarks and faces:
/// those of a mask and of rectangles together.
///
/// A frame that an effect makes between others has the pixels of the nearest source frame there, of the earlier one if
/// both are equally near.
public struct KeptAreas: Sendable, Hashable {
    /// The mask: one image, numbered images or a video with a frame for each of the source; nil for none. Areas are
    /// white, gray is a mix. Only jobs read it.
    public var mask: String?
    /// Rectangles in pixels of the source.
    public var rectangles: [KeptRectangle]

    /// Creates areas.
    public init(mask: String? = nil, rectangles: [KeptRectangle] = []) {
        (self.mask, self.rectangles) = (mask, rectangles)
    }

    /// Whether there are none.
    public var isEmpty: Bool { mask == nil && rectangles.isEmpty }

    /// A text for the description of an effect; empty if there are no areas.
    var summary: String {
        (mask.map { " mask \($0)" } ?? "")
            + (rectangles.isEmpty ? "" : " keeping " + rectangles.map(\.description).joined(separator: ";"))
    }

    /// - Throws: `FrameError` if a rectangle reaches beyond the picture.
    func check(_ source: VideoStreamDescription) throws(FrameError) {
        for area in rectangles where area.x > source.width - area.width || area.y > source.height - area.height {
            throw FrameError(
                .invalidArgument,
                "the rectangle \(area) (x,y,width,height) reaches beyond the picture of \(source.width)x\(source.height) pixels"
            )
        }
    }

    /// Returns a mask with the rectangles added.
    func adding(to mask: PictureMask) -> PictureMask {
        var mask = mask
        for area in rectangles {
            mask.keep(columns: area.x..<area.x + area.width, rows: area.y..<area.y + area.height)
        }
        return mask
    }
}

/// A rectangle in pixels.
public struct KeptRectangle: Sendable, Hashable, CustomStringConvertible {
    /// The number of pixels to the left of it, 0 or more.
    public let x: Int
    /// The number of rows above it, 0 or more.
    public let y: Int
    /// The width, at least 1.
    public let width: Int
    /// The height, at least 1.
    public let height: Int

    /// Reads a rectangle.
    ///
    /// - Parameters:
    ///   - text: `x,y,width,height`.
    ///   - name: what messages call it.
    /// - Throws: `FrameError` if it is not four whole numbers of 0 or more, or if it is empty.
    public init(_ text: String, name: String = "rectangle") throws(FrameError) {
        let sizes = PixelBuffer.sizeRange
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Int($0.trimmingSpaces()) ?? -1
        }
        guard numbers.count == 4, numbers.allSatisfy({ (0...sizes.upperBound).contains($0) }), numbers[2] > 0,
            numbers[3] > 0
        else {
            throw FrameError(
                .invalidArgument,
                "\(name) '\(text)' is not a rectangle such as 20,10,200,80: x, y, width and height in pixels from 0 to \(sizes.upperBound), with at least 1x1 pixel"
            )
        }
        (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// `x,y,width,height`.
    public var description: String { "\(x),\(y),\(width),\(height)" }
}
