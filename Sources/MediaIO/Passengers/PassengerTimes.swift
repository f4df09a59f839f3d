import FrameCore

/// Finds for each packet of another stream by how much the video beside it was moved, where times jump.
///
/// Each stream meets a jump in its own packets, since they lead or trail the video's in the file.
struct PassengerTimes {
    private struct Place {
        /// Number of the video's part beside it.
        var part = 0
        /// The latest time in that part, as the container states it.
        var last: MediaTime?
    }

    private let joints: TimeJoints
    /// Whether a jump ahead may be a joint.
    private let mayJump: Bool
    private var places: [Int: Place] = [:]
    /// The furthest part that any stream with packets all the time has reached.
    private var furthest = 0

    private static let smallestStepBack = MediaTime(value: 1, timescale: 1)
    private static let smallestStepAhead = MediaTime(value: 5, timescale: 1)

    init(_ joints: TimeJoints, mayJump: Bool) {
        self.joints = joints
        self.mayJump = mayJump
    }

    /// What is to be added to a packet's times; nil when the reader has still to meet the joint that the packet lies
    /// behind, so that it must wait.
    ///
    /// - Parameters:
    ///   - time: of the packet, as the container states it.
    ///   - isSparse: the stream has pauses of its own, so that a jump ahead says nothing.
    ///   - isLast: nothing more comes from the reader.
    mutating func shift(of time: MediaTime, stream: Int, isSparse: Bool, isLast: Bool) -> MediaTime? {
        var place = places[stream] ?? Place()
        if isSparse || place.last == nil, furthest > place.part, joints[furthest]?.mayHold(time) == true {
            place = Place(part: furthest)
        }
        let shift = joints[place.part]?.shift ?? .zero
        if let last = place.last {
            let isBack = time < last - Self.smallestStepBack
            let isAhead = mayJump && !isSparse && time > last + Self.smallestStepAhead
            if isBack || isAhead {
                if let part = joints.part(after: place.part, holding: time) {
                    place = Place(part: part)
                } else {
                    // A pause ends when the video gets there; a step back that the video does not share is damage.
                    let end = isBack ? last + shift + TimeJoints.lead : time + shift
                    if !isLast, joints.end.map({ $0 < end }) ?? true { return nil }
                    // It may still belong to a joint that comes later than usual.
                    if isBack { return shift }
                }
            }
        }
        place.last = max(place.last ?? time, time)
        places[stream] = place
        if !isSparse { furthest = max(furthest, place.part) }
        return joints[place.part]?.shift ?? .zero
    }
}
