import FrameCore
import MediaIO
import TestSupport
import Testing

@Suite struct MatroskaCropTests {
    /// A lossless file whose frames hide 6 columns on the left and 8 rows at the top.
    private func croppedFile(_ folder: TemporaryFolder, _ frames: [Frame]) throws -> String {
        var anamorphic = frames
        for index in anamorphic.indices { anamorphic[index].sampleAspectRatio = Rational(4, 3) }
        try write(anamorphic, to: folder("a.mkv"), options: .init(codec: .ffv1))
        var bytes = try bytes(of: folder("a.mkv"))
        // DisplayWidth and DisplayHeight become PixelCropLeft and PixelCropTop, which are as long.
        for (old, new, value) in [(UInt8(0xB0), UInt8(0xCC), UInt8(6)), (0xBA, 0xBB, 8)] {
            let place = try #require(
                bytes.indices.dropLast(4).first {
                    bytes[$0] == 0x54 && bytes[$0 + 1] == old && bytes[$0 + 2] & 0x80 != 0
                })
            let count = Int(bytes[place + 2] & 0x7F)
            bytes[place + 1] = new
            for index in 0..<count { bytes[place + 3 + index] = index == count - 1 ? value : 0 }
        }
        return try folder.write(bytes, to: "cropped.mkv")
    }

    @Test func hiddenEdgesAreCutOff() throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: [0, 1, 2])
        let reading = try read(try croppedFile(folder, frames))
        let stream = reading.reader.stream
        #expect(stream.width == 58 && stream.height == 40)
        #expect(reading.reader.info.streams.first?.video?.width == 58)
        #expect(reading.frames.count == 3)
        for (frame, whole) in zip(reading.frames, frames) {
            for plane in 0..<3 {
                let (width, left, top) = plane == 0 ? (64, 6, 8) : (32, 3, 4)
                let samples = whole.buffer.samples(ofPlane: plane)
                let rest = samples.indices.filter { $0 % width >= left && $0 / width >= top }.map { samples[$0] }
                #expect(frame.buffer.samples(ofPlane: plane) == rest)
            }
        }
    }

    @Test func seekingKeepsTheCrop() throws {
        let folder = try TemporaryFolder()
        let reader = try MediaReader(try croppedFile(folder, try clip(ticks: Array(0..<5))))
        try reader.seek(to: MediaTime(value: 3, timescale: 25))
        let frame = try #require(try reader.nextFrame())
        #expect(frame.buffer.width == 58 && frame.buffer.height == 40)
    }
}
