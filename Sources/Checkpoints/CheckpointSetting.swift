/// Something that the result of a job depends on.
public struct CheckpointSetting: Sendable, Hashable, Codable {
    /// As the user knows it, such as `--crf`.
    public var name: String
    /// In words or figures; nil where it was left to the program.
    public var value: String?

    /// - Parameters:
    ///   - name: as the user knows it.
    ///   - value: nil where it was left to the program.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

extension [CheckpointSetting] {
    /// What is not the same as in `kept`, in words; nil when all is.
    func difference(from kept: [CheckpointSetting]) -> String? {
        func words(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "left out" }
        for setting in self {
            let former = kept.first { $0.name == setting.name }
            if former?.value != setting.value {
                return "\(setting.name) is \(words(setting.value)) and was \(words(former?.value))"
            }
        }
        return kept.first { former in former.value != nil && !contains { $0.name == former.name } }
            .map { "\($0.name) was \(words($0.value))" }
    }

    /// All of them in one text that no other settings have.
    var canonical: String {
        map { "\($0.name.debugDescription)=\($0.value?.debugDescription ?? "")" }.joined(separator: "\n")
    }
}
