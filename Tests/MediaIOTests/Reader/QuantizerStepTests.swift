import FrameCore
import MediaIO
import Testing

/// The quantizer steps that decoders tell.
@Suite(.enabled(if: hasMaker, "ffmpeg makes the files"))
struct QuantizerStepTests {
    private func steps(_ arguments: [String], _ name: String) throws -> [Float?] {
        let folder = try TemporaryFolder()
        let path = try make(folder(name), ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1"] + arguments)
        let reader = try KeyFrameReader(path)
        #expect(reader.quantizerStep == nil)
        return try [Int64(0), 7].map { tenth in
            _ = try reader.keyFrame(at: MediaTime(value: tenth, timescale: 10))
            return reader.quantizerStep
        }
    }

    /// With a fixed quantization parameter, all steps are equal.
    @Test(arguments: [(22, Float(8), "yuv420p", 0), (28, 16, "yuv420p", 0), (28, 16, "yuv420p10le", 12)])
    func ofH264(_ parameter: Int, _ step: Float, _ format: String, _ offset: Int) throws {
        let codec = [
            "-c:v", "libx264", "-g", "5", "-pix_fmt", format, "-x264-params",
            "qp=\(parameter + offset):ipratio=1:aq-mode=0",
        ]
        for found in try steps(codec, "a.mkv") {
            let found = try #require(found)
            // Some blocks without coefficients keep the parameter of others.
            #expect(abs(found / step - 1) < 0.02, "\(found)")
        }
    }

    @Test func ofOtherCodecsIsUnknown() throws {
        #expect(try steps(["-c:v", "mjpeg"], "a.avi") == [nil, nil])
    }
}
