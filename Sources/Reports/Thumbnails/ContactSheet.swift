public import FrameAnalysis
public import FrameCore
internal import Imaging

/// A picture of all frames that a selection examined, in time order, with the picks outlined.
public enum ContactSheet {
    private static let gap = 6, border = 4
    private static let ground: (UInt8, UInt8, UInt8) = (24, 128, 128)
    /// Green in full-range YCbCr.
    private static let mark: (UInt8, UInt8, UInt8) = (170, 80, 60)
    private static let most = 120

    /// Draws the sheet.
    ///
    /// - Parameters:
    ///   - selection: the frames examined and picked.
    ///   - orientation: how to rotate the frames for display.
    ///   - sampleAspectRatio: the width of a stored sample divided by its height.
    ///   - columns: the number of pictures per row, at least 1.
    /// - Returns: a full-range 4:4:4 picture; nil when no frame was examined.
    /// - Throws: `FrameError` when memory is short.
    public static func draw(
        _ selection: ThumbnailSelection, orientation: PictureOrientation = .up,
        sampleAspectRatio: Rational = Rational(1, 1), columns: Int = 8
    ) throws(FrameError) -> Frame? {
        let picked = Set(selection.picks.map(\.time))
        var looks = selection.looks.filter { $0.preview != nil }
        // Thin out a long list, but keep the picks.
        let step = max(1, (looks.count + most - 1) / most)
        looks = looks.enumerated().filter { $0.offset % step == 0 || picked.contains($0.element.time) }.map(\.element)
        var tiles: [(buffer: PixelBuffer, isPicked: Bool)] = []
        for look in looks {
            guard let preview = look.preview else { continue }
            let shaped = try shaped(preview.buffer, sampleAspectRatio)
            tiles.append((try shaped.turned(orientation, context: .serial), picked.contains(look.time)))
        }
        guard let first = tiles.first, let color = looks.first?.preview?.color else { return nil }
        let (w, h) = (first.buffer.width, first.buffer.height)
        let across = max(1, min(columns, tiles.count)), down = (tiles.count + across - 1) / across
        var sheet = try PixelBuffer(
            format: first.buffer.format, width: across * (w + gap) + gap, height: down * (h + gap) + gap)
        try sheet.withOverwrittenPlanes { planes throws(FrameError) in
            for (index, value) in [ground.0, ground.1, ground.2].enumerated() {
                let plane = planes[index]
                for y in 0..<plane.height {
                    plane.row(y).initializeMemory(as: UInt8.self, repeating: value, count: plane.width)
                }
            }
            for (position, tile) in tiles.enumerated() {
                let (x, y) = (gap + position % across * (w + gap), gap + position / across * (h + gap))
                place(tile.buffer, in: planes, x: x, y: y)
                if tile.isPicked {
                    frame(planes, x: x - border, y: y - border, width: w + 2 * border, height: h + 2 * border)
                }
            }
        }
        return Frame(buffer: sheet, presentationTime: .zero, color: color)
    }

    /// Returns the picture with square samples; its longer side keeps its length.
    private static func shaped(_ buffer: PixelBuffer, _ ratio: Rational) throws(FrameError) -> PixelBuffer {
        guard ratio.isPositive, ratio.numerator != ratio.denominator else { return buffer }
        let (width, height) = (Double(buffer.width) * ratio.doubleValue, Double(buffer.height))
        let scale = Double(max(buffer.width, buffer.height)) / max(width, height)
        func whole(_ length: Double) -> Int { max(2, Int((length * scale).rounded())) }
        return try PictureResampler(
            from: buffer.format, sourceSize: (buffer.width, buffer.height), color: .unspecified, to: buffer.format,
            width: whole(width), height: whole(height), targetLocation: .center
        ).resampled(buffer, context: .serial)
    }

    private static func place(_ buffer: PixelBuffer, in planes: MutablePlanes, x: Int, y: Int) {
        buffer.withPlanes { source in
            for index in 0..<source.count {
                let (from, to) = (source[index], planes[index])
                for row in 0..<min(from.height, to.height - y) {
                    (to.row(y + row) + x).copyMemory(from: from.row(row), byteCount: min(from.width, to.width - x))
                }
            }
        }
    }

    private static func frame(_ planes: MutablePlanes, x: Int, y: Int, width: Int, height: Int) {
        for (index, value) in [mark.0, mark.1, mark.2].enumerated() {
            let plane = planes[index]
            for row in max(0, y)..<min(plane.height, y + height) {
                let isEdge = row < y + border || row >= y + height - border
                for column in max(0, x)..<min(plane.width, x + width)
                where isEdge || column < x + border || column >= x + width - border {
                    plane.row(row).storeBytes(of: value, toByteOffset: column, as: UInt8.self)
                }
            }
        }
    }
}
