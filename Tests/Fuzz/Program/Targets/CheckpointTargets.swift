import FrameCore
import Jobs
import MediaIO

extension FuzzTarget {
    /// Checkpoint manifests.
    static let manifest = FuzzTarget("manifest", longestInput: 8192) { bytes in
        let manifest = try CheckpointManifest(json: bytes)
        let json: [UInt8]
        do { json = try manifest.json } catch {
            return require(false, "a manifest that was read cannot be written: \(error)")
        }
        do {
            let again = try CheckpointManifest(json: json)
            require(again == manifest, "a manifest read back differs from the one written")
        } catch {
            require(false, "a manifest cannot be read back: \(error)")
        }
    }

    /// Files of finished segments.
    static let segment = FuzzTarget("segment") { bytes in
        let file = try MemoryFile(bytes)
        let reader = try SegmentFileReader(file.path)
        let times = try reader.presentationTimes()
        var decodeTimes = DTSGenerator(delay: 2), count = 0
        for time in times { decodeTimes.append(time) }
        while try reader.next() != nil {
            count += 1
            if decodeTimes.isReady { _ = decodeTimes.next() }
        }
        require(count == times.count, "a segment's packets do not match their count")
    }
}
