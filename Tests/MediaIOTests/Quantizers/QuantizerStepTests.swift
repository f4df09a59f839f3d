import Foundation
import FrameCore
import MediaIO
import Testing

/// The quantizer steps that decoders report or packets state.
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

    /// Keyframes of open groups of pictures name the pictures that others refer to.
    @Test(arguments: [
        ("a.mkv", 22, Float(8), "yuv420p", "open-gop=0"), ("a.mp4", 28, 16, "yuv420p", "open-gop=1"),
        ("a.mkv", 28, 16, "yuv420p", "open-gop=1:bframes=3"), ("a.mkv", 34, 32, "yuv420p10le", "slices=2"),
    ])
    func ofHEVC(_ name: String, _ parameter: Int, _ step: Float, _ format: String, _ options: String) throws {
        let codec = [
            "-c:v", "libx265", "-pix_fmt", format, "-x265-params",
            "log-level=none:qp=\(parameter):ipratio=1:aq-mode=0:keyint=5:min-keyint=5:\(options)",
        ]
        for found in try steps(codec, name) {
            let found = try #require(found)
            #expect(abs(found / (0.35 * step) - 1) < 0.01, "\(found)")
        }
    }

    /// The encoder's scale of 0…63 is that of VP9.
    @Test(arguments: [("a.mkv", "yuv420p"), ("a.mp4", "yuv420p10le")])
    func ofAV1(_ name: String, _ format: String) throws {
        let codec = [
            "-c:v", "libaom-av1", "-cpu-used", "8", "-g", "5", "-pix_fmt", format, "-qmin", "40", "-qmax", "40", "-b:v",
            "0", "-crf", "40",
        ]
        for found in try steps(codec, name) {
            let found = try #require(found)
            #expect(abs(found - 0.6 * 305.0 / 8) < 1, "\(found)")
        }
    }

    /// Whatever is in a packet, a step is that of a parameter in range.
    @Test(
        arguments: [
            ("hevc", "libx265", ["-x265-params", "log-level=none:qp=30:keyint=2:scaling-list=default"], .hevc),
            ("obu", "libaom-av1", ["-cpu-used", "8", "-g", "2", "-crf", "30"], .av1),
        ] as [(String, String, [String], PacketQuantizer.Codec)])
    func hostilePackets(_ format: String, _ encoder: String, _ options: [String], _ codec: PacketQuantizer.Codec) throws
    {
        let folder = try TemporaryFolder()
        let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.3", "-c:v", encoder]
        let path = try make(folder("a.\(format)"), source + options + ["-f", format])
        let good = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        func step(_ bytes: [UInt8], extradata: [UInt8] = []) -> Float? {
            var quantizer = PacketQuantizer(codec, extradata: extradata)
            return bytes.withUnsafeBufferPointer { quantizer.step(of: $0) }
        }
        let expected = try #require(step(good))
        // The header of the sequence may also come first.
        #expect(step(good, extradata: good) == expected)
        var found = 0
        func check(_ bytes: [UInt8], _ extradata: [UInt8]) throws {
            guard let step = step(bytes, extradata: extradata) else { return }
            found += 1
            #expect(step > 0 && step < 200, "\(step)")
        }
        for count in 0..<min(good.count, 300) {
            try check(Array(good[..<count]), [])
            try check(good, Array(good[..<count]))
        }
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<3000 {
            var bytes = good, extradata = Array(good.prefix(200))
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % min(bytes.count, 200)] = UInt8(truncatingIfNeeded: state >> 24)
                extradata[Int(state >> 40) % extradata.count] = UInt8(truncatingIfNeeded: state >> 16)
            }
            try check(bytes, extradata)
        }
        #expect(found > 300)
    }

    @Test func ofOtherCodecsIsUnknown() throws {
        #expect(try steps(["-c:v", "mjpeg"], "a.avi") == [nil, nil])
    }
}
