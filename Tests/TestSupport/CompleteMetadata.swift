public import FrameCore

extension Frame.Metadata {
    /// Metadata with no property at its default.
    public static let complete = Frame.Metadata(
        presentationTime: MediaTime(value: 7, timescale: 25), duration: MediaTime(value: 1, timescale: 25),
        color: ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .pq, range: .full,
            chromaLocation: .topLeft),
        sampleAspectRatio: Rational(4, 3), fieldOrder: .topFirst, isDamaged: true,
        sideData: SideData([
            .init(kind: "captions", code: 4, bytes: [0, 1, 255], isOfThisPictureOnly: true),
            .init(kind: "mastering", code: 11, bytes: []),
        ]))
}
