internal import FrameCore

/// JPEG images as a fragmented MP4 file of the codec `mjpg`, one fragment for each. Players read I-frame playlists of
/// images only from such a container.
struct FragmentedPictures {
    let width: Int
    let height: Int
    private static let timescale: UInt32 = 1000

    /// The bytes before the first fragment.
    var header: [UInt8] {
        var file = ByteWriter()
        file.box("ftyp") {
            $0.text("iso6")
            $0.big(UInt32(0))
            $0.text("iso6mp41")
        }
        file.box("moov") {
            $0.fullBox("mvhd") {
                $0.zeros(8)
                $0.big(Self.timescale)
                $0.zeros(4)
                $0.big(UInt32(0x10000))
                $0.zeros(12)
                Self.matrix(&$0)
                $0.zeros(24)
                $0.big(UInt32(2))
            }
            $0.box("trak", track)
            $0.box("mvex") {
                $0.fullBox("trex") {
                    $0.big(UInt32(1))
                    $0.big(UInt32(1))
                    $0.zeros(12)
                }
            }
        }
        return file.bytes
    }

    private func track(_ box: inout ByteWriter) {
        box.fullBox("tkhd", flags: 3) {
            $0.zeros(8)
            $0.big(UInt32(1))
            $0.zeros(24)
            Self.matrix(&$0)
            $0.big(UInt32(width) << 16)
            $0.big(UInt32(height) << 16)
        }
        box.box("mdia") {
            $0.fullBox("mdhd") {
                $0.zeros(8)
                $0.big(Self.timescale)
                $0.zeros(4)
                // The language is undetermined.
                $0.big(UInt32(0x55C4_0000))
            }
            $0.fullBox("hdlr") {
                $0.zeros(4)
                $0.text("vide")
                $0.zeros(13)
            }
            $0.box("minf") {
                $0.fullBox("vmhd", flags: 1) { $0.zeros(8) }
                $0.box("dinf") {
                    $0.fullBox("dref") {
                        $0.big(UInt32(1))
                        $0.fullBox("url ", flags: 1) { _ in }
                    }
                }
                $0.box("stbl", samples)
            }
        }
    }

    private func samples(_ box: inout ByteWriter) {
        box.fullBox("stsd") {
            $0.big(UInt32(1))
            $0.box("mjpg") {
                $0.zeros(6)
                $0.big(UInt16(1))
                $0.zeros(16)
                $0.big(UInt16(width))
                $0.big(UInt16(height))
                // 72 dots per inch, one frame per sample, no name, 24 bits, no color table.
                $0.big(UInt32(72 << 16))
                $0.big(UInt32(72 << 16))
                $0.zeros(4)
                $0.big(UInt16(1))
                $0.zeros(32)
                $0.big(UInt16(24))
                $0.big(UInt16.max)
            }
        }
        for name in ["stts", "stsc", "stco"] { box.fullBox(name) { $0.zeros(4) } }
        box.fullBox("stsz") { $0.zeros(8) }
    }

    private static func matrix(_ box: inout ByteWriter) {
        for value in [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] as [UInt32] { box.big(value) }
    }

    /// Returns the fragment of an image.
    ///
    /// - Parameters:
    ///   - picture: a JPEG file.
    ///   - number: the number of the fragment, from 0.
    ///   - start: when the image is first shown, in milliseconds.
    ///   - end: when it stops being shown.
    func fragment(_ picture: [UInt8], _ number: Int, start: Int64, end: Int64) -> [UInt8] {
        var file = ByteWriter()
        file.box("moof") {
            $0.fullBox("mfhd") { $0.big(UInt32(number + 1)) }
            $0.box("traf") {
                // Offsets count from the beginning of the fragment.
                $0.fullBox("tfhd", flags: 0x020000) { $0.big(UInt32(1)) }
                $0.fullBox("tfdt", version: 1) { $0.big(start) }
                // The offset of the image, and its duration and size.
                $0.fullBox("trun", flags: 0x000301) {
                    $0.big(UInt32(1))
                    $0.big(Int32(Self.fragmentHeader))
                    $0.big(UInt32(clamping: end - start))
                    $0.big(UInt32(picture.count))
                }
            }
        }
        file.box("mdat") { $0.raw(picture) }
        return file.bytes
    }

    /// The number of bytes before the image: `moof` with its `mfhd` and `traf`, which holds `tfhd`, `tfdt` and `trun`, and
    /// the head of `mdat`.
    private static let fragmentHeader = 8 + 16 + 8 + 16 + 20 + 28 + 8
}
