/// What is only seen by comparing the candidates of a clip with each other.
extension Candidate {
    /// The mean difference of two color grids, in 8-bit levels, from which on they show different scenes.
    private static let sceneDifference: Float = 25
    /// The fraction of the candidates that have less detail than the rich ones.
    private static let richShare = 0.9
    /// How much less detail a frame may have than the rich ones of the clip rather than of its scene: a portrait before a
    /// blurred background has little.
    private static let sceneAllowance: Float = 1.55

    /// Returns the candidates, which must be in time order, with objections to subjects that the edge cuts and to frames
    /// with little in them.
    ///
    /// One head cut off in all frames of a clip cannot be helped, and neither can a clip of an empty sky, so both are
    /// measured against the other candidates.
    package static func compared(_ candidates: [Candidate]) -> [Candidate] {
        var out = candidates
        let (runs, rich) = (scenes(candidates), richDetail(candidates))
        for scene in runs {
            let shown = scene.filter { candidates[$0].grid != nil }
            let amounts = EdgeCuts.amounts(shown.compactMap { candidates[$0].grid })
            for (index, amount) in zip(shown, amounts) { out[index].objections.edgeCut = amount }
            let richOfScene = richDetail(candidates[scene])
            for index in scene {
                func share(_ most: Float) -> Float { most > 0 ? candidates[index].detail / most : 1 }
                out[index].objections.contents = min(share(richOfScene), sceneAllowance * share(rich))
            }
        }
        return out
    }

    /// The detail of the candidates that are rich in it; 0 if all are pictures of nothing.
    private static func richDetail(_ candidates: some Sequence<Candidate>) -> Float {
        let details = candidates.filter { $0.score.utility == nil }.map(\.detail).sorted()
        return details.isEmpty ? 0 : details[min(details.count - 1, Int(richShare * Double(details.count)))]
    }

    /// Runs of candidates that show the same scene.
    private static func scenes(_ candidates: [Candidate]) -> [Range<Int>] {
        var starts: [Int] = []
        for index in candidates.indices {
            guard index > 0 else {
                starts.append(0)
                continue
            }
            let (last, next) = (candidates[index - 1], candidates[index])
            let isCut = last.scene != nil && next.scene != nil && last.scene != next.scene
            var differs = false
            if let a = last.grid, let b = next.grid { differs = a.difference(from: b) > sceneDifference }
            if isCut || differs { starts.append(index) }
        }
        return zip(starts, starts.dropFirst() + [candidates.count]).map { $0..<$1 }
    }
}
