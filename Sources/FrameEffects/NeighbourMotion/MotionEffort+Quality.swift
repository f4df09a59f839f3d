import Motion

extension MotionEffort {
    /// `normal` works on half size, where a cell covers 8×8 pixels, but for pictures so small that full size costs nothing.
    /// More rounds than these two make neither interpolated nor blurred pictures better.
    init(_ quality: QualityPrioritization, pixels: Int) {
        switch quality {
        case .normal where pixels > 640 * 480:
            self.init(finestLevel: pixels > 2560 * 1600 ? 2 : 1, refinements: 2, coarseRefinements: 2)
        case .normal: self.init(finestLevel: 0, refinements: 2, coarseRefinements: 2)
        case .quality: self.init(finestLevel: pixels > 4096 * 2304 ? 1 : 0, refinements: 5, coarseRefinements: 8)
        }
    }

    /// Where the next frame does not wait.
    static func lowLatency(pixels: Int) -> MotionEffort {
        var effort = MotionEffort(.normal, pixels: pixels)
        // Half a decibel less on larger pictures, in half the time.
        if pixels > 1024 * 576 { effort.finestLevel = max(effort.finestLevel, 2) }
        return effort
    }
}
