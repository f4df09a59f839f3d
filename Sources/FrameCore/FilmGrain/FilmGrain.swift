/// The parameters of synthetic film grain, as AV1 stores them with a frame (AV1 bitstream specification, 6.8.20).
///
/// Grain is Gaussian noise that an auto-regressive filter shapes and that is scaled by brightness. The numbers do not
/// depend on the bit depth of the frames.
public struct FilmGrain: Sendable, Hashable {
    /// A point of a scaling function, which is linear between points.
    public struct ScalingPoint: Sendable, Hashable {
        /// The brightness, 0…255 in 8-bit code values.
        public var value: Int
        /// The factor, 0…255, in units of 2 to the power of −``FilmGrain/scalingShift``.
        public var scaling: Int

        /// - Parameters:
        ///   - value: brightness, 0…255.
        ///   - scaling: factor, 0…255.
        public init(value: Int, scaling: Int) {
            self.value = value
            self.scaling = scaling
        }
    }

    /// What is specified for one chroma plane.
    public struct Chroma: Sendable, Hashable {
        /// The scaling function, at most 10 points; empty for no grain.
        public var points: [ScalingPoint]
        /// The coefficients of the auto-regressive filter, −128…127, then that of the luma grain.
        public var coefficients: [Int]
        /// The weight of the chroma sample in the argument of the scaling function, −128…127 in 1/64.
        public var multiplier: Int
        /// The weight of luma in the argument of the scaling function, −128…127 in 1/64.
        public var lumaMultiplier: Int
        /// What is added to the argument of the scaling function, −256…255 in 8-bit code values.
        public var offset: Int

        /// By default, the scaling depends on luma only.
        public init(
            points: [ScalingPoint] = [], coefficients: [Int], multiplier: Int = 0, lumaMultiplier: Int = 64,
            offset: Int = 0
        ) {
            self.points = points
            self.coefficients = coefficients
            self.multiplier = multiplier
            self.lumaMultiplier = lumaMultiplier
            self.offset = offset
        }
    }

    /// The largest number of points of luma's scaling function.
    public static let maximumLumaPoints = 14
    /// The largest number of points of a chroma plane's scaling function.
    public static let maximumChromaPoints = 10

    /// The seed of the random numbers.
    public var seed: UInt16
    /// Luma's scaling function, at most 14 points; empty for no grain.
    public var lumaPoints: [ScalingPoint]
    /// The coefficients of luma's auto-regressive filter, −128…127, row by row.
    public var lumaCoefficients: [Int]
    /// Cb and Cr.
    public var chroma: [Chroma]
    /// Whether chroma uses luma's scaling function.
    public var isChromaScaledFromLuma: Bool
    /// The reach of the auto-regressive filter in samples, 0…3.
    public var lag: Int
    /// The coefficients are in units of 2 to the power of −`coefficientShift`, 6…9.
    public var coefficientShift: Int
    /// The Gaussian noise is divided by 2 to the power of this, 0…3.
    public var grainScaleShift: Int
    /// The scaling functions are in units of 2 to the power of −`scalingShift`, 8…11.
    public var scalingShift: Int
    /// Whether the 32×32 blocks of grain overlap.
    public var overlaps: Bool
    /// Whether the result is clipped to the limited range of code values.
    public var isClippedToLimitedRange: Bool

    /// Creates parameters without checking them; see ``check()``.
    public init(
        seed: UInt16, lumaPoints: [ScalingPoint], lumaCoefficients: [Int], chroma: [Chroma],
        isChromaScaledFromLuma: Bool = false, lag: Int = 3, coefficientShift: Int = 7, grainScaleShift: Int = 0,
        scalingShift: Int = 11, overlaps: Bool = true, isClippedToLimitedRange: Bool = false
    ) {
        self.seed = seed
        self.lumaPoints = lumaPoints
        self.lumaCoefficients = lumaCoefficients
        self.chroma = chroma
        self.isChromaScaledFromLuma = isChromaScaledFromLuma
        self.lag = lag
        self.coefficientShift = coefficientShift
        self.grainScaleShift = grainScaleShift
        self.scalingShift = scalingShift
        self.overlaps = overlaps
        self.isClippedToLimitedRange = isClippedToLimitedRange
    }

    /// The number of coefficients of a filter that reaches `lag` samples: those above, and those before in the row.
    public static func coefficientCount(lag: Int) -> Int { 2 * lag * (lag + 1) }

    /// Whether nothing is added to any plane.
    public var isNothing: Bool {
        func isZero(_ points: [ScalingPoint]) -> Bool { points.allSatisfy { $0.scaling == 0 } }
        return isZero(lumaPoints) && (isChromaScaledFromLuma || chroma.allSatisfy { isZero($0.points) })
    }

    /// Returns the same grain as AV1 allows it for frames of this subsampling: without chroma points where they have no
    /// effect, and in 4:2:0 with points in either all planes or, apart from luma, in none.
    ///
    /// Encoders do not check this; libaom ends the program.
    public func conforming(to subsampling: ChromaSubsampling) -> FilmGrain {
        var grain = self
        if subsampling == .monochrome || isChromaScaledFromLuma {
            for plane in grain.chroma.indices { grain.chroma[plane].points = [] }
            grain.isChromaScaledFromLuma = isChromaScaledFromLuma && subsampling != .monochrome
        } else if subsampling == .yuv420, chroma.contains(where: { !$0.points.isEmpty }) {
            let none = [ScalingPoint(value: 128, scaling: 0)]
            if lumaPoints.isEmpty { grain.lumaPoints = none }
            for plane in grain.chroma.indices where chroma[plane].points.isEmpty { grain.chroma[plane].points = none }
        }
        return grain
    }

    /// Checks all values.
    ///
    /// - Throws: ``FrameError`` with `invalidArgument` that names the value and the allowed range.
    public func check() throws(FrameError) {
        try Self.check("AR filter lag", lag, 0...3)
        try Self.check("AR coefficient shift", coefficientShift, 6...9)
        try Self.check("grain scale shift", grainScaleShift, 0...3)
        try Self.check("scaling shift", scalingShift, 8...11)
        try Self.check(lumaPoints, of: "luma", atMost: Self.maximumLumaPoints)
        let count = Self.coefficientCount(lag: lag)
        try Self.check(lumaCoefficients, of: "luma", count: count)
        try Self.check("number of chroma planes", chroma.count, 2...2)
        for (plane, name) in zip(chroma, ["Cb", "Cr"]) {
            try Self.check(plane.points, of: name, atMost: Self.maximumChromaPoints)
            try Self.check(plane.coefficients, of: name, count: count + 1)
            try Self.check("\(name) multiplier", plane.multiplier, -128...127)
            try Self.check("\(name) luma multiplier", plane.lumaMultiplier, -128...127)
            try Self.check("\(name) offset", plane.offset, -256...255)
        }
    }

    private static func check(_ name: String, _ value: Int, _ range: ClosedRange<Int>) throws(FrameError) {
        guard range.contains(value) else {
            throw FrameError(
                .invalidArgument,
                "the \(name) \(value) is not allowed; it is \(range.lowerBound) to \(range.upperBound)")
        }
    }

    private static func check(_ points: [ScalingPoint], of plane: String, atMost most: Int) throws(FrameError) {
        try check("number of \(plane) points", points.count, 0...most)
        var last = -1
        for point in points {
            try check("brightness of a \(plane) point", point.value, 0...255)
            try check("scaling of a \(plane) point", point.scaling, 0...255)
            guard point.value > last else {
                throw FrameError(
                    .invalidArgument, "the \(plane) point at \(point.value) follows one at \(last); they must ascend")
            }
            last = point.value
        }
    }

    private static func check(_ coefficients: [Int], of plane: String, count: Int) throws(FrameError) {
        try check("number of \(plane) coefficients", coefficients.count, count...count)
        for coefficient in coefficients { try check("\(plane) coefficient", coefficient, -128...127) }
    }
}
