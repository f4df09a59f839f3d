import Motion

/// What is known of the ground at a sample of one frame.
enum GroundState {
    /// The frame shows it.
    static let seen: UInt8 = 0
    /// An overlay covers it; taken from another frame.
    static let found: UInt8 = 1
    /// An overlay covers it in both frames; guessed from the samples round it.
    static let guessed: UInt8 = 2
}

/// The samples of an overlay in the planes of one size.
struct OverlayGrid {
    /// Consecutive samples of a row.
    struct Run {
        let y: Int
        let columns: Range<Int>
    }

    let width: Int
    let height: Int
    /// log2 of the subsampling of the planes.
    let shift: (x: Int, y: Int)
    /// The samples of the overlay and its rim.
    let runs: [Run]
    /// The ``GroundState`` in each frame; ``GroundState/seen`` outside the runs.
    let states: (a: Buffer2D<UInt8>, b: Buffer2D<UInt8>)
    /// The share of the ground in each sample, 0…256; 256 outside the runs.
    let shares: Buffer2D<UInt16>

    /// Creates the grid of luma.
    init(luma parts: Buffer2D<UInt8>) {
        (width, height, shift) = (parts.columns, parts.rows, (0, 0))
        runs = Self.runs(of: parts)
        func states() -> Buffer2D<UInt8> {
            Buffer2D(columns: parts.columns, rows: parts.rows, filledWith: GroundState.seen)
        }
        self.states = (states(), states())
        shares = Buffer2D(columns: parts.columns, rows: parts.rows, filledWith: 256)
    }

    /// Creates the grid of planes with fewer samples than luma.
    init(_ luma: OverlayGrid, width: Int, height: Int, shift: (x: Int, y: Int)) {
        (self.width, self.height, self.shift) = (width, height, shift)
        let covered = Buffer2D<UInt8>(columns: width, rows: height, filledWith: 0)
        for run in luma.runs {
            let y = min(run.y >> shift.y, height - 1), last = min((run.columns.upperBound - 1) >> shift.x, width - 1)
            for x in run.columns.lowerBound >> shift.x...last { covered[x, y] = 1 }
        }
        runs = Self.runs(of: covered)
        func states() -> Buffer2D<UInt8> { Buffer2D(columns: width, rows: height, filledWith: GroundState.seen) }
        self.states = (states(), states())
        shares = Buffer2D(columns: width, rows: height, filledWith: 256)
    }

    /// Sets the states in one frame to the worst of the luma samples that each sample stands for.
    func takeStates(_ isSecond: Bool, of luma: OverlayGrid) {
        let from = isSecond ? luma.states.b : luma.states.a, to = isSecond ? states.b : states.a
        for run in runs {
            for x in run.columns {
                var worst = GroundState.seen
                luma.forEachSample(under: x, run.y, shift) { worst = max(worst, from[$0, $1]) }
                to[x, run.y] = worst
            }
        }
    }

    /// Sets the shares to the means of the luma samples that each sample stands for.
    func takeShares(of luma: OverlayGrid) {
        for run in runs {
            for x in run.columns {
                var sum = 0, count = 0
                luma.forEachSample(under: x, run.y, shift) {
                    sum += Int(luma.shares[$0, $1])
                    count += 1
                }
                shares[x, run.y] = UInt16((sum + count / 2) / max(count, 1))
            }
        }
    }

    /// Calls `body` with each sample that a sample of a subsampled plane stands for.
    @inline(__always)
    private func forEachSample(under x: Int, _ y: Int, _ shift: (x: Int, y: Int), _ body: (Int, Int) -> Void) {
        for j in y << shift.y..<min(height, (y + 1) << shift.y) {
            for i in x << shift.x..<min(width, (x + 1) << shift.x) { body(i, j) }
        }
    }

    private static func runs(of marks: Buffer2D<UInt8>) -> [Run] {
        var runs: [Run] = []
        for y in 0..<marks.rows {
            let row = UnsafeRawPointer(marks.base + y * marks.columns)
            var x = 0
            while x < marks.columns {
                if x + 8 <= marks.columns, row.loadUnaligned(fromByteOffset: x, as: UInt64.self) == 0 {
                    x += 8
                } else if marks[x, y] == 0 {
                    x += 1
                } else {
                    let first = x
                    while x < marks.columns, marks[x, y] != 0 { x += 1 }
                    runs.append(Run(y: y, columns: first..<x))
                }
            }
        }
        return runs
    }
}
