public import FrameCore
public import Storyboards

/// A page for trying out a storyboard: a player whose seek bar shows it, in one file next to the storyboard's files.
public enum StoryboardPlayerPage {
    /// Returns the page's HTML.
    ///
    /// The times and positions of the tiles are part of the page, since pages opened from disk may not fetch other
    /// files. Appending `#t=12.5` to the page's address opens the preview at that time.
    /// - Parameters:
    ///   - board: the storyboard.
    ///   - video: the address of the video, relative to the page or absolute.
    ///   - start: the time in the video at which the storyboard begins, as a time after the video's first frame.
    ///   - title: the title of the page.
    public static func html(
        _ board: StoryboardDescription, video: String, start: MediaTime = .zero, title: String
    ) -> String {
        let start = max(0, start.ticksDown(1000))
        let cues = (0..<board.tileCount).map { tile in
            let place = board.place(of: tile), span = board.span(of: tile)
            return "[\(span.start),\(span.end),\(place.sheet),\(place.x),\(place.y)]"
        }
        let sheets = (0..<board.sheetCount).map { "\"\(board.sheetName($0))\"" }
        return head(title) + """
            <body>
            <main>
            <h1>\(htmlText(title))</h1>
            <video id="video" src="\(htmlText(video))" playsinline preload="metadata"></video>
            <div id="bar" role="slider" tabindex="0" aria-label="Seek" aria-valuemin="0" aria-valuenow="0">
            <div id="played"></div>
            <div id="preview" hidden><div id="tile"></div><div id="clock"></div></div>
            </div>
            <p><button id="play">Play</button> <span id="state"></span></p>
            <p class="note">\(board.tileCount) tiles of \(board.tileWidth)×\(board.tileHeight), one every \(Double(board.intervalMilliseconds) / 1000) s.</p>
            </main>
            <script>
            const cues = [\(cues.joined(separator: ","))];
            const sheets = [\(sheets.joined(separator: ","))];
            const board = {tileWidth: \(board.tileWidth), tileHeight: \(board.tileHeight), sheetWidth: \(board.sheetWidth), sheetHeight: \(board.sheetHeight), start: \(start), length: \(board.durationMilliseconds)};
            \(script)
            </script>
            </body>
            </html>

            """
    }

    private static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(htmlText(title))</title>
        <style>
        :root { color-scheme: light dark; --line: #8888; --accent: #2a6fdb; }
        body { margin: 0; font: 16px/1.4 system-ui, sans-serif; }
        main { max-width: 1000px; margin: 0 auto; padding: 12px; }
        h1 { font-size: 1.1rem; overflow-wrap: anywhere; }
        video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #000; }
        #bar { position: relative; height: 44px; touch-action: none; cursor: pointer; }
        #bar::before, #played { content: ""; position: absolute; left: 0; top: 18px; height: 8px; border-radius: 4px; }
        #bar::before { right: 0; background: var(--line); }
        #played { width: 0; background: var(--accent); }
        #bar:focus-visible { outline: 2px solid var(--accent); }
        #preview { position: absolute; bottom: 40px; pointer-events: none; background: #000; border: 2px solid #fff;
                   border-radius: 4px; overflow: hidden; box-shadow: 0 2px 8px #0008; }
        #preview[hidden] { display: none; }
        #tile { background-repeat: no-repeat; }
        #clock { color: #fff; text-align: center; font-variant-numeric: tabular-nums; padding: 2px 0; }
        .note { opacity: 0.7; }
        button { font: inherit; padding: 6px 16px; }
        </style>
        </head>

        """
    }

    private static let script = """
        const video = document.getElementById("video"), bar = document.getElementById("bar");
        const preview = document.getElementById("preview"), tile = document.getElementById("tile");
        const clock = document.getElementById("clock"), played = document.getElementById("played");
        const play = document.getElementById("play"), state = document.getElementById("state");
        const text = s => [Math.floor(s / 3600), Math.floor(s / 60) % 60, Math.floor(s) % 60]
            .map(n => String(n).padStart(2, "0")).join(":");
        bar.setAttribute("aria-valuemax", board.length / 1000);
        function cueAt(ms) {
            let low = 0, high = cues.length;
            while (low < high) { const m = (low + high) >> 1; if (cues[m][0] <= ms) low = m + 1; else high = m; }
            return cues[Math.max(0, low - 1)];
        }
        function show(ms) {
            const width = bar.clientWidth, cue = cueAt(ms);
            // A phone has no room for a tile of full size.
            const scale = Math.min(1, width * 0.45 / board.tileWidth);
            const w = Math.round(board.tileWidth * scale), h = Math.round(board.tileHeight * scale);
            tile.style.width = w + "px";
            tile.style.height = h + "px";
            tile.style.backgroundImage = `url("${sheets[cue[2]]}")`;
            tile.style.backgroundSize = `${board.sheetWidth * scale}px ${board.sheetHeight * scale}px`;
            tile.style.backgroundPosition = `${-cue[3] * scale}px ${-cue[4] * scale}px`;
            clock.textContent = text(ms / 1000);
            const left = ms / board.length * width - w / 2;
            preview.style.left = Math.max(0, Math.min(width - w - 4, left)) + "px";
            preview.hidden = false;
        }
        function timeOf(event) {
            const box = bar.getBoundingClientRect();
            return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * board.length;
        }
        function seek(ms) {
            video.currentTime = (board.start + Math.max(0, Math.min(board.length, ms))) / 1000;
            progress(ms);
        }
        function progress(ms) {
            ms = Math.max(0, ms);
            played.style.width = Math.min(100, ms / board.length * 100) + "%";
            bar.setAttribute("aria-valuenow", (ms / 1000).toFixed(1));
            bar.setAttribute("aria-valuetext", text(ms / 1000));
        }
        bar.addEventListener("pointermove", event => show(timeOf(event)));
        bar.addEventListener("pointerdown", event => show(timeOf(event)));
        bar.addEventListener("pointerup", event => {
            seek(timeOf(event));
            if (event.pointerType !== "mouse") preview.hidden = true;
        });
        bar.addEventListener("pointerleave", () => { preview.hidden = true; });
        bar.addEventListener("blur", () => { preview.hidden = true; });
        bar.addEventListener("keydown", event => {
            const steps = {ArrowLeft: -5000, ArrowRight: 5000, PageDown: -60000, PageUp: 60000};
            const now = Number(bar.getAttribute("aria-valuenow")) * 1000;
            const to = event.key === "Home" ? 0 : event.key === "End" ? board.length : now + (steps[event.key] ?? NaN);
            if (Number.isNaN(to)) return;
            event.preventDefault();
            const ms = Math.max(0, Math.min(board.length, to));
            seek(ms);
            show(ms);
        });
        video.addEventListener("loadedmetadata", () => { if (board.start > 0) seek(0); });
        video.addEventListener("timeupdate", () => {
            progress(video.currentTime * 1000 - board.start);
            // A storyboard of a part ends before the video does.
            if (board.start > 0 && video.currentTime * 1000 >= board.start + board.length) video.pause();
        });
        video.addEventListener("error", () => { state.textContent = "This browser cannot play the video; the preview works."; });
        play.addEventListener("click", () => { if (video.paused) video.play(); else video.pause(); });
        video.addEventListener("play", () => { play.textContent = "Pause"; });
        video.addEventListener("pause", () => { play.textContent = "Play"; });
        const wanted = location.hash.match(/^#t=([0-9.]+)$/);
        if (wanted) show(Math.min(board.length, Number(wanted[1]) * 1000));
        """
}
