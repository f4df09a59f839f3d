import Foundation
import FrameCore
import Motion
import Testing

/// The code that the article of Motion shows.
@Suite struct MotionSnippets {
    @Test func fields() throws {
        let vectors = [SIMD2<Float>](repeating: [3, -1.5], count: 64 * 48)
        let path = NSTemporaryDirectory() + "motion-\(UUID().uuidString).vfxflow"
        defer { try? FileManager.default.removeItem(atPath: path) }
        // snippet
        let dense = try DenseFlow(width: 64, height: 48, vectors: vectors)
        let back = try DenseFlow(width: 64, height: 48, vectors: vectors.map { -$0 })
        let flow = try OpticalFlow(forward: dense, backward: back)
        // end
        #expect(flow.forward.vector(x: 30, y: 20) == [3, -1.5])
        // snippet
        try Data(flow.encoded()).write(to: URL(fileURLWithPath: path))
        let same = try OpticalFlow(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
        // end
        #expect(same == flow)
        // snippet
        let trusted = flow.forward.denseConfidence()  // one byte per sample, 255 is certain
        let hidden = flow.forward.denseOcclusion()  // one byte per sample, 255 is hidden in the other frame
        // end
        #expect(trusted.count == 64 * 48 && hidden.count == 64 * 48)
    }
}
