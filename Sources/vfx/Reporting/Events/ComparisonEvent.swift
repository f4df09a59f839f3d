internal import CommandLineCore

/// `vfx compare` has compared two clips.
struct ComparisonEvent: JSONEvent {
    static let type = "comparison"

    /// The first clip, as named on the command line.
    let before: String
    /// The second clip, as named on the command line.
    let after: String
    /// The page, as named on the command line; null if none was written.
    let output: String?
    /// The number of pairs of frames that were compared.
    let pairs: Int
    /// The number of pairs whose frames are equal.
    let equal: Int
    /// The number of frames that only the first clip has.
    let onlyBefore: Int
    /// The number of frames that only the second clip has.
    let onlyAfter: Int
    /// The slow-motion factor of the second clip.
    let stretch: Int
    /// The PSNR of each plane in dB; null for planes that are equal.
    let psnr: [Double]
    /// The SSIM of all pairs.
    let ssim: SixDecimals
    /// The lowest SSIM of a pair.
    let lowestSsim: SixDecimals
    /// Notes, each with the keys of a `note`.
    let notes: [NoteEvent]
    /// The exit code of the program.
    let exitCode: Int32
}
