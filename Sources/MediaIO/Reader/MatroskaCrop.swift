import CLibAV
import FrameCore

/// The edges of a Matroska track's frames that players hide, which libavformat ignores before version 61.
struct MatroskaCrop: Equatable {
    var top = 0
    var bottom = 0
    var left = 0
    var right = 0
    /// Whether the file states the size at which the rest is displayed.
    var statesDisplaySize = false

    /// The most bytes of an element that are read.
    private static let longestBody: UInt64 = 1 << 24
    /// The most elements that are passed over on the way to the track list.
    private static let mostElements = 1000

    /// Reads the cropping of a video track; nil when there is none, or the input is not seekable.
    ///
    /// - Parameters:
    ///   - context: an open Matroska or WebM input, whose position is kept.
    ///   - position: the number of video tracks before it in the file.
    init?(_ context: InputContext, track position: Int) {
        guard context.formatName.contains("matroska"), let io = context.pointer.pointee.pb,
            io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
        else { return nil }
        let place = avio_tell(io)
        guard avio_seek(io, 0, SEEK_SET) == 0 else { return nil }
        let tracks = Self.tracks(io)
        avio_seek(io, place, SEEK_SET)
        let videos = EBMLElement.all(in: tracks[...]).compactMap { $0.id == 0xAE ? Self.video($0.body) : nil }
        guard videos.indices.contains(position) else { return nil }
        for element in EBMLElement.all(in: videos[position]) {
            let value = Int(truncatingIfNeeded: min(element.number, 1 << 20))
            switch element.id {
            case 0x54BB: top = value
            case 0x54AA: bottom = value
            case 0x54CC: left = value
            case 0x54DD: right = value
            case 0x54B0, 0x54BA: statesDisplaySize = true
            default: break
            }
        }
        guard top + bottom + left + right > 0 else { return nil }
    }

    /// Returns the contents of the file's track list; empty when it cannot be found.
    private static func tracks(_ io: UnsafeMutablePointer<AVIOContext>) -> [UInt8] {
        var segment: Int64 = 0, listed: Int64?
        for _ in 0..<mostElements {
            guard let id = EBMLElement.identifier(io), let size = EBMLElement.size(io) else { return [] }
            switch id {
            case 0x1853_8067: segment = avio_tell(io)
            case 0x1654_AE6B: return bytes(io, size)
            case 0x114D_9B74: listed = place(ofTracks: bytes(io, size)) ?? listed
            case 0x1F43_B675:
                // Programs that edit a file in place may move the list behind the frames.
                guard let place = listed, avio_seek(io, segment &+ place, SEEK_SET) >= 0,
                    EBMLElement.identifier(io) == 0x1654_AE6B, let size = EBMLElement.size(io)
                else { return [] }
                return bytes(io, size)
            default:
                guard size < 1 << 40, avio_skip(io, Int64(size)) >= 0, avio_feof(io) == 0 else { return [] }
            }
        }
        return []
    }

    /// Reads the body of an element; empty when it is too long or cut off.
    private static func bytes(_ io: UnsafeMutablePointer<AVIOContext>, _ size: UInt64) -> [UInt8] {
        guard size < longestBody else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        return avio_read(io, &bytes, Int32(size)) == Int32(size) ? bytes : []
    }

    /// Returns the offset of the track list in the segment, as the index of the file's parts states it.
    private static func place(ofTracks index: [UInt8]) -> Int64? {
        for entry in EBMLElement.all(in: index[...]) where entry.id == 0x4DBB {
            let parts = EBMLElement.all(in: entry.body)
            guard parts.contains(where: { $0.id == 0x53AB && $0.number == 0x1654_AE6B }) else { continue }
            return parts.first { $0.id == 0x53AC }.flatMap { Int64(exactly: $0.number) }
        }
        return nil
    }

    /// Returns the video settings of a track; nil for a track of another kind.
    private static func video(_ track: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let elements = EBMLElement.all(in: track)
        guard elements.contains(where: { $0.id == 0x83 && $0.number == 1 }) else { return nil }
        return elements.first { $0.id == 0xE0 }?.body ?? []
    }

    /// Crops a decoded frame; frames smaller than the hidden edges stay whole.
    func apply(to frame: UnsafeMutablePointer<AVFrame>) {
        guard left + right < Int(frame.pointee.width), top + bottom < Int(frame.pointee.height) else { return }
        frame.pointee.crop_top = top
        frame.pointee.crop_bottom = bottom
        frame.pointee.crop_left = left
        frame.pointee.crop_right = right
        av_frame_apply_cropping(frame, Int32(AV_FRAME_CROP_UNALIGNED))
    }

    /// Returns the sample aspect ratio of the cropped frames: a stated display size is that of what is left of them.
    ///
    /// Square pixels stay square, since programs that add cropping to a file often leave the display size as it was.
    func aspect(_ ratio: AVRational, width: Int32, height: Int32) -> AVRational {
        let (w, h) = (Int64(width) - Int64(left + right), Int64(height) - Int64(top + bottom))
        guard statesDisplaySize, ratio.num > 0, ratio.den > 0, ratio.num != ratio.den, w > 0, h > 0 else {
            return ratio
        }
        var changed = AVRational(num: 0, den: 1)
        av_reduce(
            &changed.num, &changed.den, Int64(ratio.num) * Int64(width) * h, Int64(ratio.den) * Int64(height) * w,
            Int64(Int32.max))
        return changed
    }
}

/// An element of EBML, the binary format under Matroska.
private struct EBMLElement {
    let id: UInt64
    let body: ArraySlice<UInt8>

    /// The body as an unsigned integer.
    var number: UInt64 { body.suffix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// Returns the elements of a body, as far as they are whole.
    static func all(in bytes: ArraySlice<UInt8>) -> [EBMLElement] {
        var rest = bytes, found: [EBMLElement] = []
        while let id = take(&rest, keepsMarker: true), let size = take(&rest, keepsMarker: false),
            size <= UInt64(rest.count)
        {
            found.append(EBMLElement(id: id, body: rest.prefix(Int(size))))
            rest = rest.dropFirst(Int(size))
        }
        return found
    }

    static func identifier(_ io: UnsafeMutablePointer<AVIOContext>) -> UInt64? { take(io, keepsMarker: true) }
    static func size(_ io: UnsafeMutablePointer<AVIOContext>) -> UInt64? { take(io, keepsMarker: false) }

    private static func take(_ io: UnsafeMutablePointer<AVIOContext>, keepsMarker: Bool) -> UInt64? {
        let first = UInt8(truncatingIfNeeded: avio_r8(io))
        guard avio_feof(io) == 0, first != 0 else { return nil }
        let rest = (0..<first.leadingZeroBitCount).map { _ in UInt8(truncatingIfNeeded: avio_r8(io)) }
        return value(first, rest, keepsMarker: keepsMarker)
    }

    private static func take(_ bytes: inout ArraySlice<UInt8>, keepsMarker: Bool) -> UInt64? {
        guard let first = bytes.first, first != 0, bytes.count > first.leadingZeroBitCount else { return nil }
        let rest = bytes.dropFirst().prefix(first.leadingZeroBitCount)
        bytes = bytes.dropFirst(1 + rest.count)
        return value(first, Array(rest), keepsMarker: keepsMarker)
    }

    /// Returns a number of variable length: the leading zero bits of its first byte count the bytes that follow.
    private static func value(_ first: UInt8, _ rest: [UInt8], keepsMarker: Bool) -> UInt64 {
        let head = keepsMarker ? first : first & (0x7F >> UInt8(first.leadingZeroBitCount))
        return rest.reduce(UInt64(head)) { $0 << 8 | UInt64($1) }
    }
}
