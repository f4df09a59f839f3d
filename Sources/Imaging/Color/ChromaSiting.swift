package import FrameCore

/// Where chroma samples sit between the luma samples they stand for: −0.5 at the first, 0.5 at the second.
package struct ChromaSiting: Sendable, Hashable {
    package let horizontal: Double
    package let vertical: Double

    /// - Parameter location: what is unspecified counts as left.
    package init(_ location: ColorDescription.ChromaLocation) {
        switch location {
        case .unspecified, .left: self.init(horizontal: -0.5, vertical: 0)
        case .center: self.init(horizontal: 0, vertical: 0)
        case .topLeft: self.init(horizontal: -0.5, vertical: -0.5)
        case .top: self.init(horizontal: 0, vertical: -0.5)
        case .bottomLeft: self.init(horizontal: -0.5, vertical: 0.5)
        case .bottom: self.init(horizontal: 0, vertical: 0.5)
        }
    }

    private init(horizontal: Double, vertical: Double) {
        self.horizontal = horizontal
        self.vertical = vertical
    }
}
