internal import Glibc

/// How stored rows and columns are rotated and mirrored for display, with EXIF orientation numbers.
public enum PictureOrientation: Int, Sendable, Hashable, CaseIterable, Codable {
    /// As stored.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Rotated by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then rotated 270 degrees clockwise: rows become columns.
    case leftMirrored = 5
    /// Rotated 90 degrees clockwise for display.
    case right = 6
    /// Mirrored left to right, then rotated 90 degrees clockwise.
    case rightMirrored = 7
    /// Rotated 270 degrees clockwise for display.
    case left = 8

    /// Creates the orientation closest to a display matrix.
    ///
    /// - Parameter displayMatrix: nine numbers as in ISO/IEC 14496-12; nil or a singular matrix gives ``up``.
    public init(displayMatrix: [Int32]?) {
        guard let (a, b, c, d) = Self.axes(displayMatrix) else {
            self = .up
            return
        }
        if abs(a) + abs(d) >= abs(b) + abs(c) {
            self = a >= 0 ? (d >= 0 ? .up : .downMirrored) : (d >= 0 ? .upMirrored : .down)
        } else {
            self = b >= 0 ? (c >= 0 ? .leftMirrored : .right) : (c >= 0 ? .left : .rightMirrored)
        }
    }

    /// Returns the display matrix of an image of a stored size, as in ISO/IEC 14496-12; nil for ``up``.
    package func displayMatrix(width: Int, height: Int) -> [Int32]? {
        let (a, b, c, d): (Int, Int, Int, Int) =
            switch self {
            case .up: (1, 0, 0, 1)
            case .upMirrored: (-1, 0, 0, 1)
            case .down: (-1, 0, 0, -1)
            case .downMirrored: (1, 0, 0, -1)
            case .leftMirrored: (0, 1, 1, 0)
            case .right: (0, 1, -1, 0)
            case .rightMirrored: (0, -1, -1, 0)
            case .left: (0, -1, 1, 0)
            }
        if self == .up { return nil }
        // The offsets move the image back to positive coordinates.
        let x = a < 0 ? width : c < 0 ? height : 0, y = d < 0 ? height : b < 0 ? width : 0
        let one = 1 << 16
        return [a * one, b * one, 0, c * one, d * one, 0, x * one, y * one, 1 << 30].map { Int32(clamping: $0) }
    }

    /// Returns the clockwise rotation of a display matrix in degrees, 0..<360, and whether the image is mirrored left
    /// to right after the rotation; 0 and false for a missing or singular matrix.
    package static func turn(of displayMatrix: [Int32]?) -> (degrees: Int, isMirrored: Bool) {
        guard let (a, b, c, d) = axes(displayMatrix) else { return (0, false) }
        // A mirrored matrix is a rotation followed by a mirror; undoing the mirror leaves the rotation.
        let isMirrored = a * d < b * c
        let x = Double(isMirrored ? -a : a) / hypot(Double(a), Double(c)), y = Double(b) / hypot(Double(b), Double(d))
        return (((Int((atan2(y, x) * 180 / .pi).rounded()) % 360) + 360) % 360, isMirrored)
    }

    /// Coefficients that display the stored position (p, q) at (a·p + c·q, b·p + d·q); nil if the matrix is singular.
    private static func axes(_ displayMatrix: [Int32]?) -> (a: Int64, b: Int64, c: Int64, d: Int64)? {
        guard let m = displayMatrix, m.count >= 9 else { return nil }
        let (a, b, c, d) = (Int64(m[0]), Int64(m[1]), Int64(m[3]), Int64(m[4]))
        return a * d == b * c ? nil : (a, b, c, d)
    }

    /// Whether width and height are swapped for display.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Returns the position of the stored sample that is displayed at column `x`, row `y`.
    ///
    /// - Parameters:
    ///   - x: column in the displayed image.
    ///   - y: row in the displayed image.
    ///   - width: width of the stored image.
    ///   - height: height of the stored image.
    package func stored(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
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
