internal import Foundation
public import FrameAnalysis
public import FrameCore
internal import Imaging

/// A self-contained page that shows which frames were picked and why.
public struct ThumbnailReport: Sendable {
    /// The name of the clip as shown on the page.
    public var title: String
    /// The frames examined and picked.
    public var selection: ThumbnailSelection
    /// How to rotate the frames for display.
    public var orientation: PictureOrientation
    /// The width of a sample divided by its height.
    public var sampleAspectRatio: Rational

    /// Creates a report.
    public init(
        title: String, selection: ThumbnailSelection, orientation: PictureOrientation = .up,
        sampleAspectRatio: Rational = Rational(1, 1)
    ) {
        self.title = title
        self.selection = selection
        self.orientation = orientation
        self.sampleAspectRatio = sampleAspectRatio
    }

    /// Returns the page's HTML.
    ///
    /// - Parameters:
    ///   - frames: the picked frames, in the order of the picks; the preview is shown for a missing frame.
    ///   - encoder: encodes the pictures in the page.
    /// - Throws: `FrameError` when a picture cannot be encoded.
    public func html(frames: [Frame?], encoder: any StillEncoder) throws(FrameError) -> String {
        try html(previews: frames.map { $0.flatMap { Preview.large($0) } }, encoder: encoder)
    }

    /// Returns the page's HTML.
    ///
    /// - Parameters:
    ///   - previews: large previews of the picked frames, in the order of the picks.
    ///   - encoder: encodes the pictures in the page.
    /// - Throws: `FrameError` when a picture cannot be encoded.
    package func html(previews: [Preview?], encoder: any StillEncoder) throws(FrameError) -> String {
        let picks = try selection.picks.enumerated().map { index, pick throws(FrameError) in
            try figure(pick, number: index + 1, index < previews.count ? previews[index] : nil, encoder)
        }.joined()
        let picked = Set(selection.picks.map(\.time))
        let sheet = try selection.looks.map { look throws(FrameError) in
            try figure(look, isPicked: picked.contains(look.time), encoder)
        }.joined()
        let notes = selection.notes.map { "<p class=\"note\">\(htmlText($0))</p>" }.joined()
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
            <title>\(htmlText(title)): best frames</title>
            <style>
            body{font:15px/1.45 system-ui,sans-serif;margin:1.2rem;background:#fafafa;color:#222}
            h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:1.6rem}
            .picks,.sheet{display:flex;flex-wrap:wrap;gap:.8rem}figure{margin:0}
            .pick{max-width:340px;background:#fff;padding:.6rem;border:1px solid #ddd;border-radius:6px}
            .pick ul{margin:.3rem 0;padding-left:1.1rem}.sheet figure{width:168px;font-size:.75rem;padding:3px}
            .sheet .chosen{outline:3px solid #2a9d4a;border-radius:3px}img{max-width:100%;height:auto;display:block}
            em{color:#b00}.note{color:#8a4b00}table{font-size:.8rem;border-spacing:4px 1px}
            .bar{width:90px;background:#eee}.bar i{display:block;height:.6rem;background:#4a7fb5}svg{width:100%;height:auto;max-width:1000px}
            </style></head><body>
            <h1>\(htmlText(title)): best frames</h1>
            \(notes)
            <div class="picks">
            \(picks)</div>
            <h2>Score over time</h2>
            \(scorePlot)
            <h2>What was looked at</h2>
            <div class="sheet">
            \(sheet)</div>
            </body></html>

            """
    }

    private func figure(
        _ pick: PickedFrame, number place: Int, _ large: Preview?, _ encoder: any StillEncoder
    ) throws(FrameError) -> String {
        let small = selection.looks.first { $0.time == pick.time }?.preview
        let preview = large ?? small
        let image = try preview.map { preview throws(FrameError) in try picture(preview, encoder, width: 320) } ?? ""
        let reasons = pick.reasons.map { "<li>\(htmlText($0))</li>" }.joined()
        let bars = AestheticCue.allCases.map { cue in
            let value = pick.cues[cue]
            return
                "<tr><td>\(htmlText(cue.title))</td><td class=\"bar\"><i style=\"width:\(number(Double(value) * 100, 0))%\"></i></td><td>\(number(Double(value), 2))</td><td>×\(number(Double(cue.weight), 2))</td></tr>"
        }.joined()
        return """
            <figure class="pick">\(image)<figcaption><b>\(place)</b> at \(number(pick.time.seconds, 3)) s, score \(number(Double(pick.score), 3)), rank \(number(Double(pick.rank), 3))
            <ul>\(reasons)</ul><details><summary>cues</summary><table>\(bars)</table></details></figcaption></figure>

            """
    }

    /// Returns an empty string for a frame without a preview.
    private func figure(
        _ look: ThumbnailSelection.Look, isPicked: Bool, _ encoder: any StillEncoder
    ) throws(FrameError) -> String {
        guard let preview = look.preview else { return "" }
        let kind = look.utilityKind.map { " <em>\($0.rawValue)</em>" } ?? ""
        return """
            <figure\(isPicked ? " class=\"chosen\"" : "")>\(try picture(preview, encoder, width: 160))<figcaption>\(number(look.time.seconds, 2)) s · \(number(Double(look.rank), 2))\(kind)</figcaption></figure>

            """
    }

    private func picture(_ preview: Preview, _ encoder: any StillEncoder, width: Int) throws(FrameError) -> String {
        let buffer = try preview.buffer.turned(orientation, context: .serial)
        let frame = Frame(buffer: buffer, presentationTime: .zero, color: preview.color)
        let still = try encoder.encode(StillPicture(frame: frame), as: .jpeg, options: StillOptions(quality: 82))
        let aspect = orientation.swapsSides ? 1 / ratio : ratio
        let height = Int((Double(width) / (Double(buffer.width) / Double(buffer.height) * aspect)).rounded())
        let data = Data(still.bytes).base64EncodedString()
        return
            "<img width=\"\(width)\" height=\"\(max(1, height))\" alt=\"\" src=\"data:image/jpeg;base64,\(data)\">"
    }

    private var ratio: Double { sampleAspectRatio.isPositive ? sampleAspectRatio.doubleValue : 1 }
}

extension ThumbnailReport {
    /// A plot of the score over time, as SVG in a page.
    private var scorePlot: String {
        let width = 1000.0, height = 220.0, left = 44.0, right = 12.0, top = 12.0, bottom = 28.0
        guard let first = selection.looks.first?.time.seconds, let last = selection.looks.last?.time.seconds else {
            return ""
        }
        let span = max(0.001, last - first)
        func x(_ time: Double) -> Double { left + (time - first) / span * (width - left - right) }
        func y(_ score: Double) -> Double { top + (1 - max(-1.5, min(1, score))) / 2.5 * (height - top - bottom) }
        func point(_ time: Double, _ score: Float) -> String { "\(number(x(time), 1)),\(number(y(Double(score)), 1))" }
        var marks = ""
        for score in stride(from: -1.0, through: 1.0, by: 0.5) {
            marks +=
                "<line x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(number(y(score), 1))\" y2=\"\(number(y(score), 1))\" stroke=\"#ddd\"/><text x=\"6\" y=\"\(number(y(score) + 4, 1))\">\(number(score, 1))</text>"
        }
        for part in 0...5 {
            let time = first + span * Double(part) / 5
            marks +=
                "<text x=\"\(number(x(time) - 14, 1))\" y=\"\(number(height - 8, 1))\">\(number(time, 1)) s</text>"
        }
        for cut in selection.cuts where cut.seconds >= first && cut.seconds <= last {
            let place = number(x(cut.seconds), 1)
            marks +=
                "<line x1=\"\(place)\" x2=\"\(place)\" y1=\"\(top)\" y2=\"\(number(height - bottom, 1))\" stroke=\"#c9a\" stroke-dasharray=\"2 3\"/>"
        }
        let scores = selection.looks.map { point($0.time.seconds, $0.score) }.joined(separator: " ")
        let ranks = selection.looks.map { point($0.time.seconds, $0.rank) }.joined(separator: " ")
        var picks = ""
        for (index, pick) in selection.picks.enumerated() {
            let (px, py) = (x(pick.time.seconds), y(Double(pick.rank)))
            picks +=
                "<circle cx=\"\(number(px, 1))\" cy=\"\(number(py, 1))\" r=\"6\" fill=\"#2a9d4a\"/><text x=\"\(number(px + 8, 1))\" y=\"\(number(py - 6, 1))\" font-weight=\"bold\">\(index + 1)</text>"
        }
        return """
            <svg viewBox="0 0 \(Int(width)) \(Int(height))" font-size="11" font-family="sans-serif" role="img" aria-label="score over time">\(marks)<polyline points="\(scores)" fill="none" stroke="#aac4de" stroke-width="1.5"/><polyline points="\(ranks)" fill="none" stroke="#3465a4" stroke-width="1.5"/>\(picks)</svg>
            <p>Light line: the frame by itself. Dark line: less what its neighbours say against it. Dashed: cuts. Dots: picks.</p>
            """
    }
}
