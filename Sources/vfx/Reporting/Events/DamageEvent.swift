internal import CommandLineCore

/// Damage found while the input was read; one event for each kind of damage.
struct DamageEvent: JSONEvent {
    static let type = "damage"

    /// The damaged clip; only printed by `vfx compare`, which reads two.
    @OmittedIfNil var input: String? = nil
    /// What is damaged, as a sentence.
    let message: String
    /// The number of packets and frames that are lost, of all kinds of damage together.
    let lostUnits: Int
}
