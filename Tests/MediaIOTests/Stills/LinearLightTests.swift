import Foundation
import FrameCore
import MediaIO
import Testing

/// Images that hold light rather than code values, and images without a signature.
@Suite struct LinearLightTests {
    /// The light of the sRGB color 200, 120, 40.
    private static let orange: [Float] = [200, 120, 40].map { powf((Float($0) / 255 + 0.055) / 1.055, 2.4) }

    /// A PFM file of one color.
    private func pfm(_ color: [Float]) -> [UInt8] {
        let samples = (0..<32 * 16).flatMap { _ in
            color.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
        }
        return Array("PF\n32 16\n-1.0\n".utf8) + samples
    }

    /// An uncompressed OpenEXR file of one color.
    private func exr(_ color: [Float], chromaticities: [Float]? = nil) -> [UInt8] {
        var writer = ByteWriter()
        func attribute(_ name: String, _ type: String, _ data: [UInt8]) {
            writer.text(name + "\0" + type + "\0")
            writer.little(UInt32(data.count))
            writer.raw(data)
        }
        func words(_ values: [UInt32]) -> [UInt8] {
            values.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        }
        func floats(_ values: [Float]) -> [UInt8] { words(values.map(\.bitPattern)) }
        writer.raw([0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0])
        let channels = ["B", "G", "R"].flatMap { Array("\($0)\0".utf8) + words([2, 0, 1, 1]) }
        attribute("channels", "chlist", channels + [0])
        attribute("compression", "compression", [0])
        for name in ["dataWindow", "displayWindow"] { attribute(name, "box2i", words([0, 0, 31, 15])) }
        attribute("lineOrder", "lineOrder", [0])
        attribute("pixelAspectRatio", "float", floats([1]))
        attribute("screenWindowCenter", "v2f", floats([0, 0]))
        attribute("screenWindowWidth", "float", floats([1]))
        if let chromaticities { attribute("chromaticities", "chromaticities", floats(chromaticities)) }
        writer.raw([0])
        let line = 8 + 32 * 12, first = writer.count + 16 * 8
        for y in 0..<16 { writer.little(UInt64(first + y * line)) }
        for y in 0..<16 {
            writer.little(UInt32(y))
            writer.little(UInt32(32 * 12))
            for channel in [2, 1, 0] { for _ in 0..<32 { writer.raw(floats([color[channel]])) } }
        }
        return writer.bytes
    }

    private func rgb(_ still: StillPicture) throws -> [Double] {
        let buffer = still.frame.buffer, all = (0..<3).map { buffer.samples(ofPlane: $0)[40] }
        #expect(buffer.format.bitDepth == 16 && still.frame.color.range == .full)
        let (y, b, r) = (Double(all[0]) / 65_535, Double(all[1]) / 65_535 - 0.5, Double(all[2]) / 65_535 - 0.5)
        let red = y + 1.402 * r, blue = y + 1.772 * b
        return [red, (y - 0.299 * red - 0.114 * blue) / 0.587, blue].map { $0 * 255 }
    }

    @Test func lightIsEncoded() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in [("a.pfm", pfm(Self.orange)), ("a.exr", exr(Self.orange))] {
            let (still, notes) = try StillCodec().read(try folder.write(bytes, to: name))
            for (found, wanted) in zip(try rgb(still), [200, 120, 40]) {
                #expect(abs(found - Double(wanted)) < 0.5, "\(name): \(found) for \(wanted)")
            }
            #expect(still.frame.color.transfer == .sRGB && still.frame.sideData.colorProfile == nil)
            #expect(!notes.contains { $0.contains("clipped") })
            let reader = try MediaReader(folder(name))
            #expect(try reader.nextFrame()?.buffer.hasSameSamples(as: still.frame.buffer) == true)
        }
        let (bright, notes) = try StillCodec().read(try folder.write(exr([4, 0.2, .nan]), to: "b.exr"))
        #expect(notes.contains("light above the white level is clipped"))
        #expect(try abs(rgb(bright)[0] - 255) < 0.5)
    }

    @Test func otherPrimariesBecomeAProfile() throws {
        let wide: [Float] = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290]
        let still = try StillCodec().decode(exr(Self.orange, chromaticities: wide))
        #expect(still.frame.sideData.colorProfile != nil)
        let standard: [Float] = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290]
        let plain = try StillCodec().decode(exr(Self.orange, chromaticities: standard))
        #expect(plain.frame.sideData.colorProfile == nil)
    }

    @Test func targaIsRecognizedByItsName() throws {
        let folder = try TemporaryFolder()
        let head: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 16, 0, 24, 0x20]
        let file = head + (0..<32 * 16).flatMap { _ in [40, 120, 200] as [UInt8] }
        let (still, _) = try StillCodec().read(try folder.write(file, to: "a.tga"))
        #expect(still.frame.buffer.width == 32 && still.frame.buffer.height == 16)
        #expect(throws: FrameError.self) { try StillCodec().read(try folder.write(file, to: "a.dat")) }
    }
}
