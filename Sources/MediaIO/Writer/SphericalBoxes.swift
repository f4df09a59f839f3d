import CLibAV
import FrameCore
import Glibc

/// Adds the boxes for 360° and stereoscopic video to QuickTime files, where libavformat writes them only to mp4.
///
/// The boxes belong into the sample entry of the video track. The index is the last box of the file, so nothing moves
/// when it grows.
struct SphericalBoxes {
    /// The boxes; empty if the video is neither spherical nor stereoscopic.
    private let boxes: [UInt8]

    /// - Parameter sideData: that of the stream.
    init(_ sideData: SideData) {
        boxes =
            Self.stereo(sideData[AV_PKT_DATA_STEREO3D.rawValue])
            + Self.spherical(sideData[AV_PKT_DATA_SPHERICAL.rawValue])
    }

    /// Whether there is nothing to add.
    var isEmpty: Bool { boxes.isEmpty }

    /// Adds the boxes to a finished file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - track: the position of the video track.
    /// - Returns: false if the file has no such track, or if its index is not at the end.
    /// - Throws: `FrameError` if the file cannot be written.
    func add(to path: String, track: Int) throws(FrameError) -> Bool {
        guard let file = fopen(path, "r+b") else { throw writeError(-errno, path) }
        defer { fclose(file) }
        guard let (offset, index) = Self.lastBox(of: file, named: "moov"),
            let grown = Self.adding(boxes, to: index[...], [("trak", track), ("mdia", 0), ("minf", 0), ("stbl", 0)])
        else { return false }
        guard fseek(file, offset, SEEK_SET) == 0, fwrite(grown, 1, grown.count, file) == grown.count,
            fflush(file) == 0
        else { throw writeError(-errno, path) }
        return true
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.big(UInt32(content.count + 8))
        writer.text(name)
        writer.raw(content)
        return writer.bytes
    }

    /// The layout of the two views in a frame.
    private static func stereo(_ data: [UInt8]?) -> [UInt8] {
        guard let type = data.flatMap({ ByteReader($0).word(0, as: UInt32.self) }) else { return [] }
        let mode: UInt8
        switch AVStereo3DType(rawValue: type) {
        case AV_STEREO3D_2D: mode = 0
        case AV_STEREO3D_TOPBOTTOM: mode = 1
        case AV_STEREO3D_SIDEBYSIDE: mode = 2
        default: return []
        }
        return box("st3d", [0, 0, 0, 0, mode])
    }

    /// The projection and the direction of the middle of the frame.
    private static func spherical(_ data: [UInt8]?) -> [UInt8] {
        guard let data, data.count >= MemoryLayout<AVSphericalMapping>.size else { return [] }
        let map = data.withUnsafeBytes { $0.loadUnaligned(as: AVSphericalMapping.self) }
        var pose = ByteWriter(), projection = ByteWriter()
        pose.zeros(4)
        for angle in [map.yaw, map.pitch, map.roll] { pose.big(angle) }
        projection.zeros(4)
        let name: String
        if map.projection == AV_SPHERICAL_CUBEMAP {
            name = "cbmp"
            projection.zeros(4)
            projection.big(map.padding)
        } else {
            name = "equi"
            for bound in [map.bound_top, map.bound_bottom, map.bound_left, map.bound_right] { projection.big(bound) }
        }
        return box(
            "sv3d",
            box("svhd", [0, 0, 0, 0] + Array("FrameEffects".utf8) + [0])
                + box("proj", box("prhd", pose.bytes) + box(name, projection.bytes)))
    }

    /// The largest index that is read; real ones have some megabytes.
    private static let largestIndex = 1 << 30

    /// Returns the last box of a file and its offset; nil if it has another name.
    private static func lastBox(
        of file: UnsafeMutablePointer<FILE>, named name: String
    ) -> (offset: Int, bytes: [UInt8])? {
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let end = ftell(file)
        var place = 0
        while place + 8 <= end {
            guard fseek(file, place, SEEK_SET) == 0, let head = read(8, from: file).map(ByteReader.init),
                var size = head.big(0, as: UInt32.self).map(Int.init)
            else { return nil }
            let isFound = head.hasText(name, at: 4)
            if size == 1, !isFound {
                guard let long = read(8, from: file).map(ByteReader.init)?.big(0, as: UInt64.self),
                    let exact = Int(exactly: long)
                else { return nil }
                size = exact
            }
            guard size >= 8, size <= end - place else { return nil }
            if isFound {
                guard place + size == end, size <= largestIndex, fseek(file, place, SEEK_SET) == 0 else { return nil }
                return read(size, from: file).map { (place, $0) }
            }
            place += size
        }
        return nil
    }

    private static func read(_ count: Int, from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return fread(&bytes, 1, count, file) == count ? bytes : nil
    }

    /// Returns a box with `boxes` added to the first sample entry below it.
    ///
    /// - Parameter path: the names of the boxes on the way to the sample table, and which of that name; empty in the
    ///   sample table itself.
    private static func adding(
        _ boxes: [UInt8], to box: ArraySlice<UInt8>, _ path: [(name: String, position: Int)]
    ) -> [UInt8]? {
        let (name, position) = path.first ?? ("stsd", 0)
        var place = box.startIndex + 8, count = 0
        while place + 8 <= box.endIndex {
            let child = ByteReader(box[place...])
            guard let size = child.big(0, as: UInt32.self).map(Int.init), size >= 8, place + size <= box.endIndex else {
                return nil
            }
            if child.hasText(name, at: 4) {
                if count == position {
                    let inner = box[place..<place + size]
                    let grown =
                        path.isEmpty
                        ? addingToEntry(boxes, of: inner) : adding(boxes, to: inner, Array(path.dropFirst()))
                    return grown.map { resized(Array(box[..<place]) + $0 + box[(place + size)...]) }
                }
                count += 1
            }
            place += size
        }
        return nil
    }

    /// Returns a sample description box with `boxes` added to its first entry.
    private static func addingToEntry(_ boxes: [UInt8], of box: ArraySlice<UInt8>) -> [UInt8]? {
        let start = box.startIndex + 16
        guard start + 8 <= box.endIndex, let size = ByteReader(box[start...]).big(0, as: UInt32.self).map(Int.init),
            size >= 8, start + size <= box.endIndex
        else { return nil }
        var entry = Array(box[start..<start + size])
        // QuickTime entries may end with a terminator of four zero bytes, which stays last.
        let end = entry.suffix(4).allSatisfy { $0 == 0 } && hasTerminator(entry) ? entry.count - 4 : entry.count
        entry.insert(contentsOf: boxes, at: end)
        return resized(Array(box[..<start]) + resized(entry) + box[(start + size)...])
    }

    /// Whether four bytes are left after the boxes of a visual sample entry, whose own fields take 86 bytes.
    private static func hasTerminator(_ entry: [UInt8]) -> Bool {
        var place = 86
        while place + 8 <= entry.count {
            guard let size = ByteReader(entry).big(place, as: UInt32.self).map(Int.init), size >= 8 else { break }
            place += size
        }
        return entry.count - place == 4
    }

    /// Returns a box with its size corrected.
    private static func resized(_ box: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.big(UInt32(box.count))
        return writer.bytes + box[4...]
    }
}
