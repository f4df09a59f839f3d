import FrameCore
import Motion
import Testing

@Suite struct FrameSignatureTests {
    /// Samples of raw video may exceed the bit depth that their file states.
    @Test(arguments: [9, 10, 12, 16]) func wordsAboveTheDepthAreTaken(depth: Int) throws {
        var picture = try PixelBuffer(
            format: PixelFormat(subsampling: .yuv420, bitDepth: depth), width: 64, height: 48)
        try picture.withMutablePlanes { planes throws(FrameError) in
            for plane in 0..<planes.count {
                let p = planes[plane]
                for y in 0..<p.height {
                    p.row(y).assumingMemoryBound(to: UInt16.self).update(repeating: 0xFFFF, count: p.width)
                }
            }
        }
        var detector = SceneCutDetector()
        let signature = FrameSignature(picture)
        var kinds: [Transition.Kind] = []
        for _ in 0..<3 { kinds += detector.append(signature).map(\.kind) }
        kinds += detector.finish().map(\.kind)
        #expect(kinds.count == 2 && !kinds.contains(.cut))
    }
}
