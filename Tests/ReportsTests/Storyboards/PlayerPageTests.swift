import Foundation
import FrameCore
import MediaIO
import Reports
import Storyboards
import TestSupport
import Testing

@Suite struct PlayerPageTests {
    /// Makes a storyboard of `count` grey frames of 40 ms, and returns it with its files by name.
    private func board(
        _ count: Int, interval: Int64, tileWidth: Int
    ) throws -> (files: [String: [UInt8]], board: StoryboardDescription) {
        let writer = try StoryboardWriter(
            configuration: StoryboardConfiguration(
                interval: milliseconds(interval), columns: 3, rows: 2, tileWidth: tileWidth),
            encoder: StillCodec())
        let source = GeneratedSource(count: count) { try GeneratedPicture.flat(20 + $0, width: 64, height: 48) }
        var files: [String: [UInt8]] = [:]
        let board = try writer.write(source) { name, bytes in files[name] = bytes }
        return (files, board)
    }

    @Test(.enabled(if: HeadlessBrowser.path != nil), arguments: [(390, 844), (1280, 800)])
    func theSeekBarShowsTheTile(width: Int, height: Int) throws {
        let folder = try TemporaryFolder()
        let (files, board) = try board(210, interval: 1000, tileWidth: 320)
        for (name, bytes) in files where !name.contains("/") { _ = try folder.write(Data(bytes), to: name) }
        let page = StoryboardPlayerPage.html(board, video: "none.mp4", title: "<Tom & \"Jerry\">")
        // A pointer moves over the bar at 0 %, 55 % and 100 %.
        let script = """
            const box = bar.getBoundingClientRect(), found = {};
            found.parts = [0, 0.55, 1].map(part => {
                bar.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + box.width * part, clientY: box.top + 5}));
                const place = preview.getBoundingClientRect();
                return {hidden: preview.hidden, left: Math.round(place.left), right: Math.round(place.right),
                            width: tile.clientWidth, image: tile.style.backgroundImage, position: tile.style.backgroundPosition,
                            clock: clock.textContent};
            });
            bar.dispatchEvent(new PointerEvent("pointerleave"));
            found.gone = preview.hidden;
            found.scroll = document.documentElement.scrollWidth;
            found.window = document.documentElement.clientWidth;
            """
        let found = try HeadlessBrowser.run(page, script: script, width: width, height: height, in: folder)
        let parts = try #require(found["parts"] as? [[String: Any]])
        #expect(parts.count == 3)
        let inner = try #require(found["window"] as? Int)
        // 8.4 s long: 55 % is 4.62 s, tile 4 at (320, 240) of sheet 1; the end is tile 8 at (640, 0) of sheet 2.
        for (index, (sheet, x, y, clock)) in [
            (1, 0, 0, "00:00:00"), (1, 320, 240, "00:00:04"), (2, 640, 0, "00:00:08"),
        ].enumerated() {
            let shown = parts[index]
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
        #expect(found["gone"] as? Bool == true)
        // On a phone, nothing makes the page scroll sideways.
        #expect(try #require(found["scroll"] as? Int) <= inner)
    }

    @Test func namesAreEscaped() throws {
        let (_, board) = try board(30, interval: 1000, tileWidth: 64)
        let page = StoryboardPlayerPage.html(board, video: "a\"><script>.mp4", title: "</title><b>")
        #expect(!page.contains("<script>.mp4"))
        #expect(!page.contains("</title><b>"))
        #expect(page.components(separatedBy: "<script>").count == 2)
    }
}
