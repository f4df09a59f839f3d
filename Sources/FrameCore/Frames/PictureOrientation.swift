/// How stored rows and columns are to be turned for display, by the numbers of EXIF.
public enum PictureOrientation: Int, Sendable, Hashable, CaseIterable, Codable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then turned 270 degrees clockwise: rows become columns.
    case leftMirrored = 5
    /// Turned 90 degrees clockwise for display.
    case right = 6
    /// Mirrored left to right, then turned 90 degrees clockwise.
    case rightMirrored = 7
    /// Turned 270 degrees clockwise for display.
    case left = 8

    /// The nearest of the eight to a display matrix.
    ///
    /// - Parameter displayMatrix: nine numbers of ISO/IEC 14496-12; nil and one that flattens the picture mean ``up``.
    public init(displayMatrix: [Int32]?) {
        guard let m = displayMatrix, m.count >= 9 else {
            self = .up
            return
        }
        // A stored place (p, q) is shown at (a·p + c·q, b·p + d·q).
        let (a, b, c, d) = (Int64(m[0]), Int64(m[1]), Int64(m[3]), Int64(m[4]))
        guard a * d != b * c else {
            self = .up
            return
        }
        if abs(a) + abs(d) >= abs(b) + abs(c) {
            self = a >= 0 ? (d >= 0 ? .up : .downMirrored) : (d >= 0 ? .upMirrored : .down)
        } else {
            self = b >= 0 ? (c >= 0 ? .leftMirrored : .right) : (c >= 0 ? .left : .rightMirrored)
        }
    }

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }
    /// The orientation that leads back.
    public var inverse: PictureOrientation {
        switch self {
        case .right: .left
        case .left: .right
        default: self
        }
    }

    /// Where the stored sample that is shown at column `x`, row `y` lies.
    ///
    /// - Parameters:
    ///   - x: column in the displayed picture.
    ///   - y: row in the displayed picture.
    ///   - width: of the stored picture.
    ///   - height: of the stored picture.
    public func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
        switch self {
        case .up: (x, y)
        case .upMirrored: (width - 1 - x, y)
        case .down: (width - 1 - x, height - 1 - y)
        case .downMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .left: (width - 1 - y, x)
        }
    }
}
