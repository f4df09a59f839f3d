package import FrameCore

/// What a job that is divided among machines must know about its source beforehand: how many frames there are, and where
/// each part can begin.
///
/// Scene cuts are none of it. The search for them begins afresh ``ResetSchedule/lead`` frames before each reset
/// point, so each worker finds those that it needs.
package struct SourceSurvey: Sendable {
    /// The number of frames before the end of the clip or of the part, counted from the clip's first frame.
    package private(set) var frames = 0
    /// The time of the clip's first frame.
    package private(set) var firstTime = MediaTime.zero
    /// The time of the last frame.
    package private(set) var lastTime = MediaTime.zero
    /// The time of the second frame; nil if there is only one.
    package private(set) var secondTime: MediaTime?
    /// Where to begin for each reset point; missing where reading cannot safely begin.
    package private(set) var checkpoints: [Int: SourceCheckpoint] = [:]
    /// What was lost or repaired.
    package private(set) var damage = DamageReport()
    /// Whether the frames were decoded.
    package private(set) var isDecoded = true

    /// The number of frames after the beginning whose checksums are kept.
    private static let checked = 8

    /// Takes over what packets tell of the frames. Nothing is decoded.
    ///
    /// - Parameters:
    ///   - table: the frames.
    ///   - firstPoint: the number of the first reset point from which frames are made.
    ///   - search: how cuts are searched for.
    package init(of table: some FrameTable, firstPoint: Int = 0, search: CutSearch) {
        isDecoded = false
        frames = table.count
        (firstTime, lastTime) = (table.time(of: 0), table.time(of: frames - 1))
        if frames > 1 { secondTime = table.time(of: 1) }
        let last = max(firstPoint, ResetSchedule.segment(of: frames - 1))
        for point in firstPoint...last {
            let first = ResetSchedule.latestStart(for: point)
            guard first > 0, let position = table.position(of: first) else { continue }
            checkpoints[point] = SourceCheckpoint(
                frame: first, time: table.time(of: first), firstTime: firstTime, position: position, cuts: search)
        }
    }

    /// Reads a source from its beginning to its end, or what a part of it depends on.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - search: how cuts are searched for.
    ///   - part: where reading begins, and the time at which the part ends; nil for the whole clip.
    ///   - onFrame: called after each frame with the number of frames read so far.
    /// - Throws: ``SourceMismatch`` if reading does not begin where it should, and any error of the source or of
    ///   `onFrame`.
    package init(
        of source: any ResumableFrameSource, search: CutSearch,
        part: (start: SourceCheckpoint?, end: MediaTime?)? = nil, onFrame: (Int) throws -> Void
    ) throws {
        let start = part?.start, checked = CheckedSource(source, from: start)
        frames = start?.frame ?? 0
        if let start { firstTime = start.firstTime }
        var pending: SourceCheckpoint?
        while true {
            let isPlace = ResetSchedule.latestStart(for: ResetSchedule.segment(of: frames) + 1) == frames
            let position = isPlace ? source.position : nil
            guard let frame = try checked.next()?.frame else { break }
            let time = frame.presentationTime
            if let end = part?.end, time >= end { break }
            if frames == 0 { firstTime = time }
            if frames == 1 { secondTime = time }
            lastTime = time
            if let position, frames > 0 {
                pending = SourceCheckpoint(
                    frame: frames, time: time, firstTime: firstTime, position: position, cuts: search)
            }
            pending?.checksums.append(frame.buffer.sampleChecksum)
            if let complete = pending, complete.checksums.count == Self.checked {
                checkpoints[complete.resetPoint] = complete
                pending = nil
            }
            frames += 1
            try onFrame(frames)
        }
        guard frames > 0 else {
            throw FrameError(.input, "there is no video frame in the input that can be decoded")
        }
        damage = source.damage
    }

    /// Whether a source that has been resumed at one of the checkpoints returns the frames of a table up to its end.
    ///
    /// - Parameters:
    ///   - source: the source, about to return the frame at `start`.
    ///   - start: the checkpoint; nil for the clip's beginning.
    ///   - table: the frames that are expected.
    ///   - isWhole: whether the clip ends with the table.
    /// - Throws: any error of the source.
    package static func agree(
        _ source: any FrameSource, from start: SourceCheckpoint?, with table: some FrameTable, isWhole: Bool
    ) throws -> Bool {
        for number in (start?.frame ?? 0)..<max(start?.frame ?? 0, table.count) {
            guard let frame = try source.nextFrame(), frame.presentationTime == table.time(of: number) else {
                return false
            }
        }
        return try (!isWhole || source.nextFrame() == nil) && source.damage == DamageReport()
    }
}
