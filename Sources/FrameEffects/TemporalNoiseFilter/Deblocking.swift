/// Whether what strong compression leaves in a picture (blocking, ringing) is removed together with the noise.
public enum Deblocking: String, Sendable, Hashable, CaseIterable, Codable {
    /// Where a block codec's coarse quantization shows in the frames, as much as it calls for; nothing elsewhere.
    case automatic = "auto"
    /// Never.
    case off
}
