import FrameCore
import Imaging
import TestSupport

/// A drawn scene that moves, as cameras of several kinds record it. Times are in fields.
struct FieldScene {
    var width = 160
    var height = 96
    var format = PixelFormat.yuv420p8
    /// The standard deviation of noise.
    var noise: Float = 0
    /// The level of the scene at a place and time.
    var level: (_ x: Int, _ y: Int, _ time: Float) -> Float = Self.pan

    private static let texture = NoiseTexture(seed: 5)

    /// A textured ground that pans, and a bar that is faster.
    static func pan(_ x: Int, _ y: Int, _ time: Float) -> Float {
        let bar = (Float(x) - 4 * time).truncatingRemainder(dividingBy: 120)
        let isBar = (0..<24).contains(bar < 0 ? bar + 120 : bar) && (24..<64).contains(y % 96)
        return isBar ? 230 : texture.value(Float(x) + 1.7 * time, Float(y) + 0.3 * time)
    }

    /// Lines of letters, made of stems and bars, that move down by rows.
    static func text(_ x: Int, _ y: Int, scrolledBy rows: Int) -> Float {
        let y = y + 2400 - rows, line = y / 12, row = y % 12, letter = (x / 7 &* 31 &+ line &* 17) % 23
        guard row < 8, x % 7 < 5 else { return 230 }
        return x % 7 == letter % 5 || row == letter % 8 || row == 7 - letter % 3 ? 20 : 230
    }

    /// A frame whose rows were recorded at different times.
    func frame(_ number: Int, at time: (_ row: Int) -> Float) throws -> PixelBuffer {
        try GeneratedPicture.draw(format, width: width, height: height) { plane, x, y in
            guard plane == 0 else { return 128 }
            return Int((level(x, y, time(y)) + noise * Self.gauss(x, y, number)).rounded())
        }
    }

    func progressive(_ count: Int) throws -> [PixelBuffer] {
        try (0..<count).map { index in try frame(index) { _ in Float(2 * index) } }
    }

    func interlaced(_ order: FieldOrder, _ count: Int) throws -> [PixelBuffer] {
        try (0..<count).map { index in
            try frame(index) { row in Float(2 * index + (row % 2 == (order == .topFirst ? 0 : 1) ? 0 : 1)) }
        }
    }

    /// - Parameters:
    ///   - phase: the number of frames of the cadence that are left out at the start.
    ///   - pattern: the number of fields of each film frame, over and over.
    ///   - shift: the number of fields that are left out before everything else.
    func telecined(
        _ order: FieldOrder, _ count: Int, phase: Int = 0, pattern: [Int] = [2, 3], shift: Int = 0
    ) throws -> [PixelBuffer] {
        /// The film frame of each field.
        let film = (0..<count + 10).flatMap { [Int](repeating: $0, count: pattern[$0 % pattern.count]) }.dropFirst(
            shift
        )
        .map(\.self)
        return try (phase..<phase + count).map { index in
            try frame(index) { row in
                Float(2 * film[2 * index + (row % 2 == (order == .topFirst ? 0 : 1) ? 0 : 1)])
            }
        }
    }

    private static func gauss(_ x: Int, _ y: Int, _ number: Int) -> Float {
        var state = UInt64(truncatingIfNeeded: (number &* 4099 &+ y) &* 8191 &+ x)
        var sum: Float = -6
        for _ in 0..<12 {
            state = (state ^ state >> 31) &* 0x9E37_79B9_7F4A_7C15 &+ 0x632B_E59B_D9B4_E019
            sum += Float(state >> 40) / 16_777_216
        }
        return sum
    }
}

extension FieldStructure {
    /// Looks at successive frames.
    init(of frames: [PixelBuffer], flag: FieldOrder? = nil, context: ExecutionContext = .serial) {
        var survey = FieldSurvey()
        for frame in frames { survey.append(frame, context: context) }
        self = survey.structure(flag: flag)
    }
}
