import FrameCore
import FrameEffects
import TestSupport

/// Black bars round pictures that move.
struct Bars {
    var left = 0, top = 0, right = 0, bottom = 0
    /// A line of the lower bar that has a caption in it, and the level of the caption.
    var caption: Int?
    var captionLevel = 200

    /// Returns a picture with bars round it, slightly noisy as coded ones are.
    func round(_ picture: PixelBuffer, seed: Int) throws -> PixelBuffer {
        let format = picture.format
        var frame = try PixelBuffer(
            format: format, width: picture.width + left + right, height: picture.height + top + bottom)
        let width = frame.width, bytes = format.bytesPerSample
        try frame.withOverwrittenPlanes { planes in
            picture.withPlanes { inner in
                for index in 0..<planes.count {
                    let isLuma = index == 0
                    let shiftX = isLuma ? 0 : format.subsampling.horizontalShift
                    let shiftY = isLuma ? 0 : format.subsampling.verticalShift
                    let x0 = left >> shiftX, y0 = top >> shiftY
                    for y in 0..<planes[index].height {
                        for x in 0..<planes[index].width {
                            let isInside =
                                x >= x0 && y >= y0 && x - x0 < inner[index].width && y - y0 < inner[index].height
                            var level = 0
                            if isInside {
                                level = inner[index].sample(x - x0, y - y0, bytes: bytes)
                            } else {
                                let noise = Int(2 * sampleNoise(Float(x), Float(y), seed: seed))
                                let isCaption = isLuma && y == caption && x > width / 4 && x % 5 < 2
                                level =
                                    (isCaption ? captionLevel : isLuma ? 17 + noise : 128)
                                    << (format.bitDepth - 8)
                            }
                            let row = planes[index].row(y)
                            if bytes == 1 {
                                row.storeBytes(of: UInt8(level), toByteOffset: x, as: UInt8.self)
                            } else {
                                row.storeBytes(of: UInt16(level), toByteOffset: 2 * x, as: UInt16.self)
                            }
                        }
                    }
                }
            }
        }
        return frame
    }

    /// A square before a ground that moves another way.
    static let scene: MovingScene = {
        let back = NoiseTexture.planes(61), front = NoiseTexture.planes(62)
        return MovingScene { plane, x, y, t in
            let dx = x - 90 - 11 * t, dy = y - 60 + 7 * t
            if abs(dx) < 40, abs(dy) < 30 { return front[plane].value(dx, dy) }
            return back[plane].value(x + 9 * t, y - 6 * t - 3 * t * t)
        }
    }()

    struct Case: Sendable {
        let subsampling: ChromaSubsampling
        let bitDepth: Int
        let left: Int, top: Int, right: Int, bottom: Int
    }

    static let cases = [
        Case(subsampling: .yuv420, bitDepth: 8, left: 0, top: 32, right: 0, bottom: 32),
        Case(subsampling: .yuv420, bitDepth: 8, left: 40, top: 0, right: 38, bottom: 0),
        Case(subsampling: .yuv420, bitDepth: 8, left: 24, top: 12, right: 2, bottom: 30),
        Case(subsampling: .yuv422, bitDepth: 10, left: 30, top: 21, right: 0, bottom: 17),
        Case(subsampling: .yuv444, bitDepth: 16, left: 17, top: 9, right: 23, bottom: 11),
        Case(subsampling: .monochrome, bitDepth: 12, left: 7, top: 33, right: 8, bottom: 2),
    ]
}
