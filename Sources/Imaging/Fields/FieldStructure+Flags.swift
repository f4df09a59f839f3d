public import FrameCore

extension FieldStructure {
    /// Returns a note if the pictures contradict the flags; nil if they agree, or show nothing.
    ///
    /// - Parameters:
    ///   - isInterlaced: whether frames are flagged as interlaced.
    ///   - order: the field order that the flags state, if any.
    public func note(onFlagsThatSay isInterlaced: Bool, _ order: FieldOrder?) -> Note? {
        guard isDecided, let found = contradiction(isInterlaced, order) else { return nil }
        let flags = isInterlaced ? order.map { "interlaced, \($0.words)" } ?? "interlaced" : "progressive"
        return Note("field-flags", "the frames are flagged as \(flags), but the pictures \(found)")
    }

    private func contradiction(_ isInterlaced: Bool, _ order: FieldOrder?) -> String? {
        if kind == .progressive { return isInterlaced ? "are progressive" : nil }
        guard !isInterlaced || order != nil && order != self.order else { return nil }
        return "are \(words)"
    }

    /// The kind in words, such as `interlaced, top field first`.
    public var words: String {
        switch kind {
        case .progressive: "progressive"
        case .interlaced(let order): "interlaced\(telecinedPart), \(order.words)"
        case .telecined(let order, let cadence): "telecined (\(cadence.rawValue) pulldown), \(order.words)"
        case .mixed(let order): "in part interlaced\(telecinedPart), \(order.words)"
        }
    }

    private var telecinedPart: String { cadence.map { ", in part telecined (\($0.rawValue) pulldown)" } ?? "" }
}

extension FieldOrder {
    /// The order in words: `top field first` or `bottom field first`.
    public var words: String {
        switch self {
        case .topFirst: "top field first"
        case .bottomFirst: "bottom field first"
        }
    }
}
