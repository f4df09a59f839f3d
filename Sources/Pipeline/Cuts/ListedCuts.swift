package import FrameCore
package import Motion

extension CutSearch {
    /// A finder for one clip.
    ///
    /// - Parameter cutList: the first frames of new scenes, if they are known; no others are cuts.
    func finder(cutList: Set<Int>?) -> any TransitionFinder {
        cutList.map { ListedCuts(finder, cuts: $0) } ?? finder
    }
}

/// Takes cuts from a list instead of finding them. Duplicates and flashes are still found.
package struct ListedCuts: TransitionFinder {
    private var finder: any TransitionFinder
    private let cuts: Set<Int>

    /// - Parameters:
    ///   - finder: finds everything else; its cuts are ignored.
    ///   - cuts: the first frames of new scenes.
    package init(_ finder: any TransitionFinder, cuts: Set<Int>) {
        self.finder = finder
        self.cuts = cuts
    }

    package var framesAhead: Int { finder.framesAhead }
    package func signature(of buffer: PixelBuffer) -> FrameSignature? { finder.signature(of: buffer) }
    package mutating func append(_ signature: FrameSignature?) -> [Transition] { finder.append(signature).map(listed) }
    package mutating func finish() -> [Transition] { finder.finish().map(listed) }

    private func listed(_ transition: Transition) -> Transition {
        var transition = transition
        if cuts.contains(transition.index) {
            (transition.kind, transition.isFlash) = (.cut, false)
        } else if transition.kind == .cut {
            transition.kind = .continuous
        }
        return transition
    }

    package var state: [UInt8] { finder.state }
    package mutating func restore(_ state: [UInt8]) -> Bool { finder.restore(state) }
}
