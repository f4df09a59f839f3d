public import FrameCore

/// How the frames of a clip consist of fields, as its pictures show.
///
/// Flags in a file only advise: discs and recorders flag progressive films as interlaced, and editors lose flags or change
/// them.
public struct FieldStructure: Sendable, Hashable, Codable {
    /// How often film frames are repeated as fields.
    public enum Cadence: String, Sendable, Hashable, Codable, CaseIterable {
        /// Four film frames become ten fields: two, three, two, three. Also called 2:3 pulldown.
        case threeTwo = "3:2"
        /// Four film frames become ten fields: two, three, three, two. Only every fifth frame mixes two of them.
        case advanced = "2:3:3:2"
        /// Each film frame becomes two fields, which are in different frames.
        case twoTwo = "2:2"

        /// The number of film frames in each frame.
        package var picturesPerFrame: Rational { self == .twoTwo ? Rational(1, 1) : Rational(4, 5) }
    }

    /// What frames consist of.
    public enum Kind: Sendable, Hashable, Codable {
        /// Both fields of a frame were captured at once, or nothing shows the contrary.
        case progressive
        /// The fields were captured one after the other.
        case interlaced(FieldOrder)
        /// The fields repeat those of film frames.
        case telecined(FieldOrder, Cadence)
        /// Parts are progressive and others interlaced.
        case mixed(FieldOrder)
    }

    /// The numbers of frames and groups of successive frames that led to the decision.
    public struct Evidence: Sendable, Hashable, Codable {
        /// The frames that were compared with the one before them.
        public var frames = 0
        /// The frames whose motion shows how their fields were captured.
        public var tellingFrames = 0
        /// The frames whose fields were captured at different times.
        public var combedFrames = 0
        /// The groups of successive frames, those that show nothing included.
        public var groups = 0
        /// The groups whose frames are progressive.
        public var progressiveGroups = 0
        /// The groups whose frames are interlaced.
        public var interlacedGroups = 0
        /// The groups whose frames are telecined.
        public var telecinedGroups = 0
        /// The blocks whose fields were captured at once.
        public var progressiveBlocks = 0
        /// The blocks that show that the top field came first.
        public var topFirstBlocks = 0
        /// The blocks that show that the bottom field came first.
        public var bottomFirstBlocks = 0

        /// No evidence.
        public init() {}

        /// The share of combed frames among those that show anything, 0…1.
        public var combedShare: Double { tellingFrames > 0 ? Double(combedFrames) / Double(tellingFrames) : 0 }
    }

    /// What the frames consist of.
    public let kind: Kind
    /// The cadence of the parts that are telecined; nil if none is.
    public let cadence: Cadence?
    /// What led to the decision.
    public let evidence: Evidence
    /// The field order that the file states at its beginning; nil for none.
    public let flag: FieldOrder?

    /// Takes a decision made otherwise.
    public init(
        _ kind: Kind, cadence: Cadence? = nil, evidence: Evidence = Evidence(), flag: FieldOrder? = nil
    ) {
        self.kind = kind
        if case .telecined(_, let found) = kind { self.cadence = found } else { self.cadence = cadence }
        self.evidence = evidence
        self.flag = flag
    }

    /// Decides from measurements of frames.
    ///
    /// - Parameters:
    ///   - groups: measurements of successive frames each; about ten, since the cadence of film repeats after five.
    ///   - flag: the field order that the file states; taken where the pictures show none.
    public init(of groups: [[FieldMeasurement]], flag: FieldOrder? = nil) {
        var survey = FieldSurvey()
        for group in groups { survey.append(group) }
        self = survey.structure(flag: flag)
    }

    /// Whether the pictures show what the frames consist of. If not, ``kind-swift.property`` is progressive: in a still
    /// picture or a single frame, fields make no difference.
    public var isDecided: Bool { evidence.tellingBlocks >= FieldSurvey.leastBlocks }

    /// Returns the order of the fields of a frame that is interlaced; nil in a progressive clip. Where the flags change within a
    /// clip, the order does, even if they are wrong.
    ///
    /// - Parameter flag: the field order that the frame states, if any.
    public func order(ofFrameWith flag: FieldOrder?) -> FieldOrder? {
        guard let order, let flag, let first = self.flag, flag != first else { return order }
        return order == .topFirst ? .bottomFirst : .topFirst
    }

    /// The order of the fields; nil for progressive frames.
    public var order: FieldOrder? {
        switch kind {
        case .progressive: nil
        case .interlaced(let order), .telecined(let order, _), .mixed(let order): order
        }
    }
}

extension FieldStructure.Evidence {
    /// The blocks that show anything.
    var tellingBlocks: Int { progressiveBlocks + topFirstBlocks + bottomFirstBlocks }
}
