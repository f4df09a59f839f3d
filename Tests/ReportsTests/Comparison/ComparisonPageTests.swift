import FrameCore
import Foundation
import MediaIO
import Reports
import TestSupport
import Testing

@Suite struct ComparisonPageTests {
    private func page() throws -> String {
        let picture = { @Sendable (seed: Int) in try GeneratedPicture.waves(width: 320, height: 180, dx: 5 * seed) }
        let a = GeneratedSource(count: 50) { try picture($0) }
        let b = GeneratedSource(count: 50) { try picture($0 == 20 ? 0 : $0) }
        var comparer = try ClipComparer(before: a, after: b, encoder: StillCodec())
        return ComparisonPage(before: "before.mp4", after: "after.mp4", comparison: try comparer.run()).html()
    }

    @Test func nothingIsFetched() throws {
        let page = try page()
        #expect(!page.contains("http") && !page.contains("src=\"/") && !page.contains("<link"))
    }

    @Test(.enabled(if: HeadlessBrowser.path != nil), arguments: [(390, 844), (1280, 800)])
    func theSliderAndTheSeekBarWork(width: Int, height: Int) throws {
        let script = """
            // Not decode(): the browser's clock does not wait for that.
            const loaded = image => image.complete || new Promise(done => image.addEventListener("load", done));
            await Promise.all([get("before"), get("after")].map(loaded));
            const found = {window: innerWidth, buttons: document.querySelectorAll("#choices button").length};
            const box = pair.getBoundingClientRect();
            found.pair = [box.left, box.right, box.width / box.height];
            found.natural = [get("before").naturalWidth, get("after").naturalWidth];
            slider.value = 25;
            slider.dispatchEvent(new Event("input"));
            found.clip = get("before").style.clipPath;
            document.querySelectorAll("#choices button")[2].click();
            found.caption = get("caption").textContent;
            const plot = get("ssim"), area = plot.getBoundingClientRect();
            const x = area.left + area.width * (80 + 908 * 0.4) / 1000;
            plot.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: area.top + 5}));
            await loaded(get("peekAfter"));
            const small = peek.getBoundingClientRect();
            found.peek = [peek.hidden, small.left, small.right, get("clock").textContent];
            plot.dispatchEvent(new PointerEvent("pointerleave"));
            found.gone = peek.hidden;
            const tiles = [...bar.querySelectorAll("img")].map(tile => tile.getBoundingClientRect());
            await loaded(bar.lastChild);
            found.tiles = [tiles.length, tiles[0].left - area.left, tiles.at(-1).right - area.left, area.width];
            found.shapes = tiles.map(tile => tile.width / tile.height);
            const further = area.left + area.width * (80 + 908 * 0.6) / 1000;
            bar.dispatchEvent(new PointerEvent("pointermove", {clientX: further, clientY: tiles[0].top + 5}));
            found.overBar = [peek.hidden, get("clock").textContent];
            found.gap = tiles[0].top - peek.getBoundingClientRect().bottom;
            // Less than the window where there is a scroll bar.
            found.scroll = [document.documentElement.scrollWidth, document.documentElement.clientWidth];
            """
        let found = try HeadlessBrowser.run(try page(), script: script, width: width, height: height)
        let inner = try #require(found["window"] as? Double)
        let scroll = try #require(found["scroll"] as? [Double])
        #expect(scroll[0] <= scroll[1], "the page is \(scroll[0]) wide and the window \(scroll[1])")
        #expect(try #require(found["buttons"] as? Int) >= 6)
        let pair = try #require(found["pair"] as? [Double])
        #expect(pair[0] >= 0 && pair[1] <= inner && abs(pair[2] - 320.0 / 180) < 0.02)
        #expect(found["natural"] as? [Int] == [320, 320])
        #expect((found["clip"] as? String)?.contains("75%") == true)
        #expect((found["caption"] as? String)?.hasPrefix("at ") == true)
        let peek = try #require(found["peek"] as? [Any])
        #expect(peek[0] as? Bool == false)
        #expect(try #require(peek[1] as? Double) >= 0)
        #expect(try #require(peek[2] as? Double) <= inner)
        // 40 % of 1.96 s.
        #expect(peek[3] as? String == "0.78 s")
        #expect(found["gone"] as? Bool == true)
        // The tiles are at their times on the plots' time axis.
        let tiles = try #require(found["tiles"] as? [Double]), plot = tiles[3]
        #expect(tiles[0] == (width == 390 ? 4 : 13))
        #expect(abs(tiles[1] - 0.08 * plot) < 1.5 && abs(tiles[2] - 0.988 * plot) < 1.5)
        #expect(try #require(found["shapes"] as? [Double]).allSatisfy { abs($0 - 320.0 / 180) < 0.1 })
        // 60 % of 1.96 s, and the pictures directly above the bar.
        let overBar = try #require(found["overBar"] as? [Any])
        #expect(overBar[0] as? Bool == false && overBar[1] as? String == "1.18 s", "\(overBar)")
        let gap = try #require(found["gap"] as? Double)
        #expect(gap >= 0 && gap < 10, "\(gap)")
    }
}
