import Foundation
import FrameAnalysis
import FrameCore
import Motion

/// Reads y4m (8-bit 4:2:0) from standard input and prints everything that the requests measure, one JSON object per frame.
@main
enum MeasureFrames {
    static func main() throws {
        let input = FileHandle.standardInput
        var pending = Data()
        func fill(_ count: Int) -> Bool {
            while pending.count < count {
                let more = input.readData(ofLength: max(1 << 20, count - pending.count))
                if more.isEmpty { return false }
                pending.append(more)
            }
            return true
        }
        func line() -> String? {
            var length = 64
            while true {
                let isFull = fill(length)
                if let end = pending.firstIndex(of: 10) {
                    let text = String(decoding: pending[pending.startIndex..<end], as: UTF8.self)
                    pending = Data(pending[(end + 1)...])
                    return text
                }
                if !isFull { return nil }
                length *= 2
            }
        }
        guard let header = line() else { return }
        let fields = header.split(separator: " ")
        guard let width = fields.first(where: { $0.hasPrefix("W") }).flatMap({ Int($0.dropFirst()) }),
            let height = fields.first(where: { $0.hasPrefix("H") }).flatMap({ Int($0.dropFirst()) })
        else { return }
        let isFull = header.contains("COLORRANGE=FULL")
        let (w2, h2) = ((width + 1) / 2, (height + 1) / 2)
        let size = width * height + 2 * w2 * h2
        var index = 0
        let gradual = CommandLine.arguments.dropFirst().first.flatMap { Int($0) }
        let isForMaps = CommandLine.arguments.dropFirst().first == "maps"
        let isForTransitions = CommandLine.arguments.dropFirst().first == "transitions"
        var (window, detector) = (SelectionWindow(), SceneCutDetector())
        let store = FrameStore()
        var signatures: [FrameSignature] = []
        while line() != nil {
            guard fill(size) else { return }
            let bytes = [UInt8](pending.prefix(size))
            pending = Data(pending.dropFirst(size))
            var buffer = try PixelBuffer(format: .yuv420p8, width: width, height: height)
            try buffer.withOverwrittenPlanes { planes in
                var offset = 0
                for plane in 0..<3 {
                    let target = planes[plane]
                    for y in 0..<target.height {
                        bytes.withUnsafeBytes {
                            target.row(y).copyMemory(
                                from: $0.baseAddress.unsafelyUnwrapped + offset, byteCount: target.width)
                        }
                        offset += target.width
                    }
                }
            }
            let color = ColorDescription(range: isFull ? .full : .unspecified)
            let frame = Frame(
                buffer: buffer, presentationTime: MediaTime(value: Int64(index), timescale: 25), color: color)
            if isForTransitions {
                let signature = FrameSignature(buffer)
                try window.append(frame, signature, mayBeExamined: false, in: store)
                for transition in detector.append(signature) { _ = window.mark(transition) }
                index += 1
                continue
            }
            if let reach = gradual {
                signatures.append(FrameSignature(buffer))
                if signatures.count > 2 * reach + 1 { signatures.removeFirst() }
                guard signatures.count == 2 * reach + 1 else { continue }
                let e = GradualTransition(
                    before: signatures[0], middle: signatures[reach], after: signatures[2 * reach])
                Swift.print(e.bend, e.apart, e.contrastRatio, e.isMonotone ? 1 : 0, e.detailRatio, e.mismatch)
                continue
            }
            if isForMaps {
                let picture = AnalysisPicture(frame)
                let maps = [
                    "attention": GenerateAttentionBasedSaliencyImageRequest().observation(of: picture).heatMap.values,
                    "objectness": GenerateObjectnessBasedSaliencyImageRequest().observation(of: picture).heatMap.values,
                ]
                Swift.print(String(decoding: try JSONEncoder().encode(maps), as: UTF8.self))
                continue
            }
            let start = Date()
            let picture = AnalysisPicture(frame)
            let score = CalculateImageAestheticsScoresRequest().observation(of: picture)
            let print = GenerateImageFeaturePrintRequest().observation(of: picture)
            let milliseconds = Date().timeIntervalSince(start) * 1000
            let attention = GenerateAttentionBasedSaliencyImageRequest().observation(of: picture)
            let objects = GenerateObjectnessBasedSaliencyImageRequest().observation(of: picture)
            let smudge = DetectLensSmudgeRequest().observation(of: picture)
            var object: [String: Any] = [
                "score": score.overallScore, "utility": score.utilityKind?.rawValue ?? "",
                "print": print.data.base64EncodedString(), "ms": milliseconds,
                "attention": [attention.heatMap.peak.x, 1 - attention.heatMap.peak.y],
                "objectness": [objects.heatMap.peak.x, 1 - objects.heatMap.peak.y], "smudge": smudge.confidence,
                "boxes": objects.salientObjects.map(\.boundingBox).map {
                    [$0.x, 1 - $0.y - $0.height, $0.width, $0.height]
                },
                "cues": Dictionary(
                    uniqueKeysWithValues: AestheticCue.allCases.map { ($0.rawValue, score.score.cues[$0]) }),
            ]
            for (name, value) in picture.measures { object[name] = value }
            let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
            Swift.print(String(decoding: data, as: UTF8.self))
            index += 1
        }
        if isForTransitions {
            for transition in detector.finish() { _ = window.mark(transition) }
            printTransitions(window, index)
        }
    }

    /// Prints for each frame whether it counts as part of a transition, how certain that is, and the evidence.
    static func printTransitions(_ window: SelectionWindow, _ count: Int) {
        for index in 0..<count {
            var objections = window.objections(to: index)
            objections.blend = window.blend(at: index)
            Swift.print(
                objections.isProbablyInTransition ? 1 : 0, objections.transition, objections.mixture,
                objections.explained, objections.isInDissolve ? 1 : 0, objections.isInFade ? 1 : 0,
                objections.blend.residual, objections.blend.visibleResidual)
        }
    }
}
