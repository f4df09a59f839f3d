internal import FrameCore
internal import MediaIO

extension MediaReader {
    /// The note that pictures made from the frames ignore the ICC profile of the input; none if there is no profile.
    ///
    /// - Parameter pictures: the pictures, such as "the tiles".
    func notesOnProfile(in pictures: String) -> [Note] {
        guard hasColorProfile else { return [] }
        return [
            .loss(
                "color-profile-dropped",
                "the ICC profile of the input is not applied to \(pictures), so their colors are approximate")
        ]
    }
}
