import FrameAnalysis
import FrameCore
import MediaIO
import Reports
import TestSupport
import Testing

@Suite struct ContactSheetTests {
    private func selection(_ format: PixelFormat = .yuv420p8, _ color: ColorDescription) throws -> ThumbnailSelection {
        var selector = try ThumbnailSelector(.init(count: 1))
        for index in 0..<10 {
            var frame = DrawnPicture.frame(
                try GeneratedPicture.waves(format, width: 640, height: 320, dx: 5 * index), index)
            frame.color = color
            try selector.append(frame)
        }
        return try selector.finish()
    }

    /// Two pictures side by side: the shape of the sheet shows that of the pictures.
    @Test func picturesHaveTheShapeTheyAreShownIn() throws {
        let selection = try selection(.yuv420p8, .unspecified)
        func sides(_ ratio: Rational, _ orientation: PictureOrientation = .up) throws -> [Int] {
            let frame = try ContactSheet.draw(
                selection, orientation: orientation, sampleAspectRatio: ratio, columns: 1)
            let sheet = try #require(frame).buffer
            return [sheet.width - 12, (sheet.height - 6) / selection.looks.count - 6]
        }
        #expect(try sides(Rational(1, 1)) == [160, 80])
        #expect(try sides(Rational(1, 4)) == [80, 160])
        #expect(try sides(Rational(2, 1)) == [160, 40])
        #expect(try sides(Rational(2, 1), .right) == [40, 160])
        #expect(try sides(Rational(0, 0)) == [160, 80])
    }

    @Test(arguments: [TransferCharacteristics.pq, .hlg])
    func highDynamicRangeIsDrawnForJPEG(transfer: TransferCharacteristics) throws {
        let deep = try PixelFormat(subsampling: .yuv420, bitDepth: 10)
        let color = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: transfer, range: .limited)
        let selection = try selection(deep, color)
        let sheet = try #require(try ContactSheet.draw(selection))
        let file = try StillCodec().encode(StillPicture(frame: sheet), as: .jpeg, options: StillOptions())
        #expect(StillFormat(bytes: file.bytes) == .jpeg)
        let page = try ThumbnailReport(title: "a", selection: selection).html(frames: [], encoder: StillCodec())
        #expect(page.contains("data:image/jpeg"))
    }
}
