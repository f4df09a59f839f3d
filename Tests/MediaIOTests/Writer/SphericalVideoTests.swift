import FrameCore
import MediaIO
import Testing

/// The description of 360° and stereoscopic video.
@Suite struct SphericalVideoTests {
    /// libav's structures: an equirectangular projection with a yaw of 90°, and two views one above the other.
    static var sideData: SideData {
        let sphere: [Int32] = [0, 90 << 16, 0, 0, 0, 0, 0, 0, 0], stereo: [Int32] = [2, 0, 0]
        return SideData([
            .init(kind: "Spherical Mapping", code: 21, bytes: sphere.withUnsafeBytes { Array($0) }),
            .init(kind: "Stereo 3D", code: 6, bytes: stereo.withUnsafeBytes { Array($0) }),
        ])
    }

    @Test(arguments: [
        ("a.mp4", MediaWriterOptions.Codec.h264), ("a.mov", .h264), ("a.mov", .prores), ("a.m4v", .h264),
        ("a.mkv", .h264),
    ])
    func filesKeepIt(name: String, codec: MediaWriterOptions.Codec) throws {
        let folder = try TemporaryFolder()
        let sink = try write(try clip(ticks: [0, 1, 2]), to: folder(name), options: .init(codec: codec)) {
            $0.sideData = Self.sideData
        }
        #expect(sink.notes.filter { $0.isLoss }.isEmpty)
        let reading = try read(folder(name))
        #expect(reading.frames.count == 3)
        let video = try #require(reading.reader.info.streams.first?.video)
        #expect(video.spherical?.projection == "equirectangular" && video.spherical?.yaw == 90)
        #expect(video.stereo == "top and bottom")
    }

    /// The index of a file that cannot be sought in comes first, so nothing can be added to it.
    @Test func containersThatCannotLeaveANote() throws {
        let folder = try TemporaryFolder()
        let sink = try write(try clip(ticks: [0, 1, 2]), to: folder("a.avi")) { $0.sideData = Self.sideData }
        #expect(sink.notes.contains { $0.code == "side-data-dropped" && $0.isLoss })
    }
}
