import Foundation
import FrameCore
import Reports
import TestSupport
import Testing
import Thumbnails

@Suite struct PlayerPageTests {
    private static let browser = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// The page as the browser has it after `script` ran at its end.
    private func dump(_ page: String, script: String, width: Int, height: Int, _ folder: TemporaryFolder) throws
        -> String
    {
        let text = page.replacing("</body>", with: "<script>\(script)</script></body>")
        let path = try folder.write(Data(text.utf8), to: "page.html")
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.browser))
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--window-size=\(width),\(height)", "--dump-dom",
            "file://" + path,
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test(.enabled(if: browser != nil), arguments: [(390, 844), (1280, 800)])
    func theSeekBarShowsTheTile(width: Int, height: Int) throws {
        let folder = try TemporaryFolder()
        let (files, board) = try StoryboardWriterTests.board(
            210, StoryboardConfiguration(interval: milliseconds(1000), columns: 3, rows: 2, tileWidth: 320))
        for (name, bytes) in files.files where !name.contains("/") { _ = try folder.write(Data(bytes), to: name) }
        let page = StoryboardPlayerPage.html(board, video: "none.mp4", title: "<Tom & \"Jerry\">")
        // A pointer goes over the bar at 0 %, 55 % and 100 %.
        let script = """
            const box = bar.getBoundingClientRect(), found = [];
            for (const part of [0, 0.55, 1]) {
                bar.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + box.width * part, clientY: box.top + 5}));
                const place = preview.getBoundingClientRect();
                found.push({hidden: preview.hidden, left: Math.round(place.left), right: Math.round(place.right),
                            width: tile.clientWidth, image: tile.style.backgroundImage, position: tile.style.backgroundPosition,
                            clock: clock.textContent});
            }
            bar.dispatchEvent(new PointerEvent("pointerleave"));
            found.push({hidden: preview.hidden, scroll: document.documentElement.scrollWidth, window: innerWidth});
            document.body.innerHTML = "FOUND" + JSON.stringify(found) + "END";
            """
        let text = try dump(page, script: script, width: width, height: height, folder)
        let start = try #require(text.firstRange(of: "FOUND")), end = try #require(text.firstRange(of: "]END"))
        let json = (text[start.upperBound..<end.lowerBound] + "]").replacing("&amp;", with: "&")
        let found = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(found.count == 4)
        let inner = try #require(found[3]["window"] as? Int)
        // 8.4 s long: 55 % is 4.62 s, tile 4 at (320, 240) of sheet 1; the end is tile 8 at (640, 0) of sheet 2.
        for (index, (sheet, x, y, clock)) in [
            (1, 0, 0, "00:00:00"), (1, 320, 240, "00:00:04"), (2, 640, 0, "00:00:08"),
        ].enumerated() {
            let shown = found[index]
            #expect(shown["hidden"] as? Bool == false)
            #expect((shown["image"] as? String)?.contains("storyboard-\(sheet).jpg") == true)
            #expect(shown["clock"] as? String == clock)
            #expect(try #require(shown["left"] as? Int) >= 0)
            #expect(try #require(shown["right"] as? Int) <= inner)
            let tile = try #require(shown["width"] as? Int)
            #expect(width == 390 ? tile < 200 && tile > 100 : tile == 320)
            let scale = Double(tile) / 320
            let position = try #require(shown["position"] as? String)
            let numbers = position.matches(of: /-?[0-9.]+/).compactMap { Double($0.0) }
            #expect(
                numbers.count == 2 && abs(numbers[0] + Double(x) * scale) < 2
                    && abs(numbers[1] + Double(y) * scale) < 2, "\(position)")
        }
        #expect(found[3]["hidden"] as? Bool == true)
        // Nothing makes a phone scroll sideways.
        #expect(try #require(found[3]["scroll"] as? Int) <= inner)
    }

    @Test func namesAreEscaped() throws {
        let (_, board) = try StoryboardWriterTests.board(30)
        let page = StoryboardPlayerPage.html(board, video: "a\"><script>.mp4", title: "</title><b>")
        #expect(!page.contains("<script>.mp4"))
        #expect(!page.contains("</title><b>"))
        #expect(page.components(separatedBy: "<script>").count == 2)
    }
}
