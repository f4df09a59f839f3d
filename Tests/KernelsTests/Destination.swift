/// Rows to write with guard samples around each; all of it is compared, so a write outside a row shows.
struct Destination<Sample: FixedWidthInteger & BitwiseCopyable>: Equatable {
    private static var guardCount: Int { 64 }
    private var samples: [Sample]
    private let pitch: Int
    private let offset: Int

    /// - Parameter misalignment: samples by which rows start off the guard's end.
    init(width: Int, height: Int = 1, misalignment: Int = 0) {
        pitch = width + Self.guardCount + misalignment
        offset = Self.guardCount + misalignment
        samples = (0..<(pitch * height + offset)).map { Sample(truncatingIfNeeded: $0 &* 37 &+ 11) }
    }

    /// Calls `body` with the first sample of the first row and the stride in samples.
    mutating func write(_ body: (UnsafeMutablePointer<Sample>, Int) -> Void) {
        let (pitch, offset) = (pitch, offset)
        samples.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { body(base + offset, pitch) }
        }
    }

    func row(_ y: Int, count: Int) -> [Sample] { Array(samples[(offset + y * pitch)..<(offset + y * pitch + count)]) }
}
