/// Pictures that are no use as a thumbnail however well they are made.
public enum UtilityKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Black, or so dark that nothing shows.
    case black
    /// White, or burnt out.
    case white
    /// One even color.
    case blank
    /// Color bars or another test card.
    case bars
    /// Titles, credits, slates, screens of text.
    case text
    /// Emptied by a fade: very little contrast left.
    case faded
}
