internal import Foundation

/// A self-contained page that shows two clips side by side: selected frames under a slider, metrics over time with a
/// seek bar, and the best frames.
public struct ComparisonPage: Sendable {
    /// The name of the first clip as shown on the page.
    public var before: String
    /// The name of the second clip as shown on the page.
    public var after: String
    /// The comparison to show.
    public var comparison: ClipComparison

    /// Creates a page.
    public init(before: String, after: String, comparison: ClipComparison) {
        self.before = before
        self.after = after
        self.comparison = comparison
    }

    /// Returns the page's HTML.
    public func html() -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <title>\(htmlText(before)) and \(htmlText(after))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1><span>\(htmlText(before))</span> → <span>\(htmlText(after))</span></h1>
        \(summary)
        \(comparison.notes.map { "<p class=\"note\">\(htmlText($0.sentence))</p>" }.joined())
        <div id="pair">
        <img id="after" alt="after" draggable="false"><img id="before" alt="before" draggable="false">
        <div id="line"></div><span class="tag" id="left">before</span><span class="tag" id="right">after</span>
        <input id="slider" type="range" min="0" max="100" value="50" step="0.1" aria-label="share of the clip before">
        </div>
        <p id="caption"></p>
        <div id="choices">\(choices)</div>
        <h2>Over time</h2>
        <div id="plots">
        <h3>PSNR in dB: <i class="y">luma</i>, <i class="u">chroma</i></h3>
        \(psnr.svg(id: "psnr"))
        <h3>SSIM of luma: <i class="y">mean</i>, <i class="u">lowest</i></h3>
        \(ssim.svg(id: "ssim"))
        <h3>The clip after; point here or at the plots to see both clips</h3>
        <div id="bar" style="padding: 4px \(Self.share(MetricPlot.right)) 0 \(Self.share(MetricPlot.left))"></div>
        <div id="peek" hidden><img id="peekBefore" alt="before"><img id="peekAfter" alt="after"><div id="clock"></div></div>
        </div>
        \(best)
        </main>
        <script>
        const shown = [\(comparison.shown.map(Self.entry).joined(separator: ",\n"))];
        const strip = [\(comparison.strip.map(Self.entry).joined(separator: ",\n"))];
        const span = [\(number(span.lowerBound, 6)), \(number(span.upperBound, 6))];
        const frame = {width: \(number(MetricPlot.width, 0)), left: \(number(MetricPlot.left, 0)), right: \(number(MetricPlot.right, 0))};
        \(Self.script)
        </script>
        </body>
        </html>

        """
    }

    private var span: ClosedRange<Double> {
        let times = comparison.points.map(\.time.seconds)
        return (times.first ?? 0)...(times.last ?? 0)
    }

    private var psnr: MetricPlot {
        let points = comparison.points
        let planes = points.first?.meanSquaredErrors.count ?? 0
        let lines = (0..<planes).reversed().map { plane in
            (
                color: plane == 0 ? "var(--y)" : "var(--u)",
                points: points.map { (time: $0.time.seconds, value: $0.psnr[plane]) }
            )
        }
        return MetricPlot(title: "PSNR over time", span: span, lines: lines, decimals: 1)
    }

    private var ssim: MetricPlot {
        let points = comparison.points
        return MetricPlot(
            title: "SSIM over time", span: span,
            lines: [
                ("var(--u)", points.map { ($0.time.seconds, $0.lowestSSIM) }),
                ("var(--y)", points.map { ($0.time.seconds, $0.ssim) }),
            ], decimals: 4)
    }

    private var summary: String {
        guard let whole = comparison.whole else { return "" }
        var rows = [("frames compared", "\(comparison.pairs)")]
        if comparison.equal > 0 { rows.append(("of these equal", "\(comparison.equal)")) }
        if comparison.onlyBefore > 0 { rows.append(("before only", "\(comparison.onlyBefore)")) }
        if comparison.onlyAfter > 0 { rows.append(("after only", "\(comparison.onlyAfter)")) }
        if comparison.stretch > 1 { rows.append(("time stretched", "\(comparison.stretch)×")) }
        for (name, value) in zip(comparison.planeNames, whole.psnr) {
            rows.append(("PSNR \(name)", value.isFinite ? "\(number(value, 2)) dB" : "equal"))
        }
        rows.append(("SSIM \(comparison.planeNames.first ?? "")", number(whole.ssim, 4)))
        rows.append(("lowest SSIM", number(whole.lowestSSIM, 4)))
        return "<dl>" + rows.map { "<div><dt>\(htmlText($0.0))</dt><dd>\(htmlText($0.1))</dd></div>" }.joined()
            + "</dl>"
    }

    private var choices: String {
        // When several pairs share the lowest similarity, none is marked.
        let lowest = comparison.shown.map(\.ssim).min()
        let isOne = comparison.shown.count(where: { $0.ssim == lowest }) == 1
        return comparison.shown.enumerated().map { index, pair in
            let mark = isOne && comparison.shown.count > 1 && pair.ssim == lowest ? " <small>least alike</small>" : ""
            return
                "<button data-index=\"\(index)\">\(number(pair.time.seconds, 2)) s\(mark)</button>"
        }.joined()
    }

    private var best: String {
        let figures = comparison.best.map {
            "<figure><img alt=\"\" src=\"data:image/jpeg;base64,\(Data($0.picture).base64EncodedString())\"><figcaption>\(number($0.time.seconds, 2)) s, score \(number(Double($0.score), 2))</figcaption></figure>"
        }
        return figures.isEmpty
            ? "" : "<h2>Best frames of the clip after</h2><div id=\"best\">\(figures.joined())</div>"
    }

    /// Returns a length as a percentage of a plot's width, for CSS.
    private static func share(_ length: Double) -> String { "\(number(100 * length / MetricPlot.width, 2))%" }

    private static func entry(_ pair: ClipComparison.PicturePair) -> String {
        "{time: \(number(pair.time.seconds, 6)), ssim: \(number(pair.ssim, 6)), width: \(pair.width), height: \(pair.height), before: \"\(Data(pair.before).base64EncodedString())\", after: \"\(Data(pair.after).base64EncodedString())\"}"
    }

    private static let style = """
        :root { color-scheme: light dark; --y: #2a6fdb; --u: #c0803a; --line: #8886; }
        body { margin: 0; font: 16px/1.45 system-ui, sans-serif; }
        main { max-width: 1280px; margin: 0 auto; padding: 12px; }
        h1 { font-size: 1.15rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.05rem; margin-top: 1.6rem; } h3 { font-size: 0.9rem; margin: 0.8rem 0 0; font-weight: 500; }
        h3 i { font-style: normal; font-weight: 700; } .y { color: var(--y); } .u { color: var(--u); }
        dl { display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0 0 12px; }
        dt { font-size: 0.75rem; opacity: 0.7; } dd { margin: 0; font-variant-numeric: tabular-nums; }
        .note { color: #a35a00; }
        #pair { position: relative; max-width: 100%; overflow: hidden; background: #000; margin: 0 auto; touch-action: pan-y; }
        #pair img { position: absolute; inset: 0; width: 100%; height: 100%; }
        #line { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: #fff; box-shadow: 0 0 4px #000; }
        .tag { position: absolute; top: 8px; padding: 1px 8px; border-radius: 3px; background: #000a; color: #fff; font-size: 0.8rem; }
        #left { left: 8px; } #right { right: 8px; }
        #slider { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: ew-resize; }
        #pair:focus-within { outline: 3px solid var(--y); }
        #caption { margin: 6px 0; font-variant-numeric: tabular-nums; }
        #choices { display: flex; flex-wrap: wrap; gap: 6px; }
        button { font: inherit; font-size: 0.9rem; padding: 4px 12px; } button[aria-pressed=true] { outline: 2px solid var(--y); }
        #plots { position: relative; } .plot { font-size: 13px; width: 100%; height: auto; display: block; touch-action: pan-y; cursor: pointer; }
        .plot text { fill: currentColor; opacity: 0.8; } .grid { stroke: var(--line); } .hand { stroke: currentColor; }
        #bar { display: flex; align-items: flex-start; box-sizing: border-box; touch-action: pan-y; cursor: pointer; }
        #bar img { flex: 1 1 0; min-width: 0; height: auto; pointer-events: none; }
        @media (max-width: 640px) { .plot { font-size: 22px; } }
        #peek { position: absolute; background: #000; color: #fff; padding: 2px; border-radius: 4px;
                display: flex; flex-wrap: wrap; gap: 2px; pointer-events: none; }
        #peek[hidden] { display: none; } #peek img { display: block; max-width: 42vw; }
        #clock { width: 100%; text-align: center; font-variant-numeric: tabular-nums; }
        #best { display: flex; flex-wrap: wrap; gap: 10px; } figure { margin: 0; } figcaption { font-size: 0.8rem; }
        """

    private static let script = """
        const get = id => document.getElementById(id);
        const data = text => "data:image/jpeg;base64," + text;
        const slider = get("slider"), pair = get("pair");
        function divide() {
            get("before").style.clipPath = `inset(0 ${100 - slider.value}% 0 0)`;
            get("line").style.left = slider.value + "%";
        }
        function fit(chosen) {
            // Wide pictures fill the page, tall ones the window.
            const most = Math.min(get("choices").clientWidth, Math.max(200, innerHeight * 0.8) * chosen.width / chosen.height);
            pair.style.width = Math.max(16, most) + "px";
            pair.style.aspectRatio = chosen.width + " / " + chosen.height;
        }
        let current = 0;
        function choose(index) {
            current = index;
            const chosen = shown[index];
            if (!chosen) return;
            get("before").src = data(chosen.before);
            get("after").src = data(chosen.after);
            get("caption").textContent = `at ${chosen.time.toFixed(3)} s, SSIM ${chosen.ssim.toFixed(4)}`;
            document.querySelectorAll("#choices button").forEach((button, i) => button.setAttribute("aria-pressed", i === index));
            fit(chosen);
            divide();
        }
        slider.addEventListener("input", divide);
        addEventListener("resize", () => {
            if (shown[current]) fit(shown[current]);
            fill();
        });
        get("choices").addEventListener("click", event => {
            const button = event.target.closest("button");
            if (button) choose(Number(button.dataset.index));
        });
        const nearest = (list, time) =>
            list.reduce((best, item, i) => Math.abs(item.time - time) < Math.abs(list[best].time - time) ? i : best, 0);
        function timeAt(plot, clientX) {
            const box = plot.getBoundingClientRect(), scale = box.width / frame.width;
            const share = (clientX - box.left - frame.left * scale) / (box.width - (frame.left + frame.right) * scale);
            return span[0] + Math.max(0, Math.min(1, share)) * (span[1] - span[0]);
        }
        const peek = get("peek");
        function show(plot, clientX) {
            if (!strip.length) return;
            const time = timeAt(plot, clientX), tile = strip[nearest(strip, time)];
            const place = span[1] > span[0] ? (time - span[0]) / (span[1] - span[0]) : 0;
            document.querySelectorAll(".hand").forEach(hand => {
                const x = frame.left + place * (frame.width - frame.left - frame.right);
                hand.setAttribute("x1", x);
                hand.setAttribute("x2", x);
            });
            for (const [id, text] of [["peekBefore", tile.before], ["peekAfter", tile.after]]) {
                get(id).width = tile.width;
                get(id).height = tile.height;
                get(id).src = data(text);
            }
            get("clock").textContent = time.toFixed(2) + " s";
            peek.hidden = false;
            const plots = get("plots").getBoundingClientRect(), width = peek.offsetWidth;
            peek.style.bottom = plots.bottom - plot.getBoundingClientRect().top + "px";
            peek.style.left = Math.max(0, Math.min(plots.width - width, clientX - plots.left - width / 2)) + "px";
        }
        const bar = get("bar");
        function fill() {
            if (!strip.length) return;
            const style = getComputedStyle(bar), {width, height} = strip[0];
            const room = bar.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
            const count = Math.max(1, Math.min(40, Math.round(room * height / (48 * width))));
            if (bar.childElementCount === count) return;
            bar.replaceChildren(...Array.from({length: count}, (_, i) => {
                const image = new Image(width, height);
                image.src = data(strip[nearest(strip, span[0] + (i + 0.5) / count * (span[1] - span[0]))].after);
                return image;
            }));
        }
        for (const plot of document.querySelectorAll(".plot, #bar")) {
            plot.addEventListener("pointermove", event => show(plot, event.clientX));
            plot.addEventListener("pointerdown", event => show(plot, event.clientX));
            plot.addEventListener("pointerleave", () => { peek.hidden = true; });
            plot.addEventListener("click", event => choose(nearest(shown, timeAt(plot, event.clientX))));
        }
        choose(0);
        fill();
        """
}
