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

    /// Steps of the specification's table, for 8 bits.
    @Test(arguments: [(20, 27), (110, 132), (160, 305), (224, 1007)] as [(Int, Float)])
    func ofVP9(_ index: Int, _ value: Float) throws {
        #expect(abs(vp9QuantizerStep(index: Float(index)) * 8 / value - 1) < 0.02)
    }

    /// The encoder's scale of 0…63 has a table of its own; 40 is index 160.
    @Test(arguments: ["yuv420p", "yuv420p10le"]) func ofVP9Files(_ format: String) throws {
        let codec = [
            "-c:v", "libvpx-vp9", "-g", "5", "-pix_fmt", format, "-qmin", "40", "-qmax", "40", "-b:v", "0", "-crf",
            "40",
        ]
        for found in try steps(codec, "a.mkv") {
            let found = try #require(found)
            #expect(abs(found - 0.6 * 305.0 / 8) < 1, "\(found)")
        }
    }

    @Test func ofOtherCodecsIsUnknown() throws {
        #expect(try steps(["-c:v", "mjpeg"], "a.avi") == [nil, nil])
    }
}
