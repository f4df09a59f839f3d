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
            await Promise.all([...document.images].filter(image => image.src).map(image => image.decode()));
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
            await get("peekAfter").decode();
            const small = peek.getBoundingClientRect();
            found.peek = [peek.hidden, small.left, small.right, get("clock").textContent];
            plot.dispatchEvent(new PointerEvent("pointerleave"));
            found.gone = peek.hidden;
            found.scroll = document.documentElement.scrollWidth;
            """
        let found = try HeadlessBrowser.run(try page(), script: script, width: width, height: height)
        let inner = try #require(found["window"] as? Double)
        #expect(try #require(found["scroll"] as? Double) <= inner)
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
    }
}
