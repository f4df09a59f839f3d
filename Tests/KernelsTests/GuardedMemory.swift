import Glibc

/// Memory between two inaccessible pages: reading or writing a byte outside terminates the process.
///
/// It is never released, since tests hold pointers into it for longer than Swift keeps an object alive.
struct GuardedMemory {
    let bytes: UnsafeMutableRawBufferPointer

    /// Allocates at least `size` bytes, rounded up to whole pages.
    init(size: Int) {
        let page = Int(getpagesize())
        let inner = (size + page - 1) / page * page
        guard let memory = mmap(nil, inner + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            memory != MAP_FAILED,
            mprotect(memory, page, PROT_NONE) == 0, mprotect(memory + page + inner, page, PROT_NONE) == 0
        else { fatalError("no guarded memory") }
        bytes = UnsafeMutableRawBufferPointer(start: memory + page, count: inner)
    }

    /// The guard page that the memory is adjacent to.
    enum Edge: CaseIterable { case before, after }

    /// Returns the start of `count` bytes that end at the following guard page, or begin after the preceding one.
    func start(of count: Int, touching edge: Edge) -> UnsafeMutableRawPointer {
        precondition(count <= bytes.count)
        guard let base = bytes.baseAddress else { fatalError("empty") }
        return edge == .before ? base : base + (bytes.count - count)
    }

    /// An array that ends at the following guard page.
    func array<T: BitwiseCopyable>(_ values: [T]) -> UnsafeMutablePointer<T> {
        let pointer = start(of: values.count * MemoryLayout<T>.stride, touching: .after).assumingMemoryBound(to: T.self)
        pointer.update(from: values, count: values.count)
        return pointer
    }
}

/// A source plane in which no byte is readable before the first or after the last sample of the given rectangle.
struct GuardedPlane<Sample: FixedWidthInteger & UnsignedInteger & BitwiseCopyable> {
    private let first: UnsafeMutablePointer<Sample>
    private let columns: Range<Int>
    private let rows: Range<Int>
    /// Stride in samples.
    let stride: Int
    let origin: UnsafeMutablePointer<Sample>

    /// - Parameters:
    ///   - columns, rows: ranges of readable samples, relative to the origin.
    ///   - gap: samples between rows.
    ///   - upward: whether the stride is negative.
    init(
        _ memory: GuardedMemory, columns: Range<Int>, rows: Range<Int>, gap: Int, upward: Bool, edge: GuardedMemory.Edge
    ) {
        self.columns = columns
        self.rows = rows
        let pitch = columns.count + gap
        let count = (rows.count - 1) * pitch + columns.count
        first = memory.start(of: count * MemoryLayout<Sample>.stride, touching: edge).assumingMemoryBound(
            to: Sample.self)
        stride = upward ? -pitch : pitch
        origin = first + ((upward ? rows.upperBound - 1 : -rows.lowerBound) * pitch - columns.lowerBound)
    }

    /// Creates a plane with a random layout.
    init(_ memory: GuardedMemory, columns: Range<Int>, rows: Range<Int>, random: inout Random) {
        self.init(
            memory, columns: columns, rows: rows, gap: random.in(0...2) == 0 ? 0 : random.in(1...70),
            upward: random.in(0...2) == 0,
            edge: random.in(0...1) == 0 ? .before : .after)
    }

    var read: UnsafePointer<Sample> { UnsafePointer(origin) }

    func fill(_ pattern: Pattern, maximum: Sample, random: inout Random) {
        for y in rows {
            for x in columns { origin[y * stride + x] = pattern.sample(x: x, y: y, maximum: maximum, random: &random) }
        }
    }
}

/// Output rows with guard samples around each. All of them are compared, so that writes outside a row are found.
struct Destination<Sample: FixedWidthInteger & BitwiseCopyable>: Equatable {
    private static var guardCount: Int { 64 }
    private var samples: [Sample]
    private let pitch: Int
    private let offset: Int

    /// - Parameter misalignment: offset of the rows in samples, to vary their alignment.
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
