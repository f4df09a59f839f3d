import Foundation

/// A headless browser, if the machine has one.
public enum HeadlessBrowser {
    /// The path of its program; nil if there is none.
    public static let path = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Opens a page in a window of the given size and runs a script at its end.
    ///
    /// - Parameters:
    ///   - page: the page's HTML.
    ///   - script: the body of an async function that fills the object `found`, which is declared for it.
    ///   - folder: the folder for the page, which contains the files it refers to.
    /// - Returns: `found`.
    public static func run(
        _ page: String, script: String, width: Int, height: Int, in folder: TemporaryFolder? = nil
    ) throws -> [String: Any] {
        guard let browser = path else { throw DeliberateError("there is no browser") }
        let folder = try folder ?? TemporaryFolder()
        let wrapped = """
            <script>(async () => { let text; try { \(script)
            text = JSON.stringify(found); } catch (error) { text = JSON.stringify({error: String(error)}); }
            document.body.textContent = "FOUND" + text + "END"; })();</script></body>
            """
        let file = try folder.write(Data(page.replacing("</body>", with: wrapped).utf8), to: "page.html")
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: browser)
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--window-size=\(width),\(height)",
            "--virtual-time-budget=20000", "--dump-dom", "file://" + file,
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard let start = text.firstRange(of: "FOUND{"), let end = text.firstRange(of: "}END") else {
            throw DeliberateError("the page gave nothing: \(text.suffix(500))")
        }
        let json = "{" + text[start.upperBound..<end.lowerBound] + "}"
        let object = try JSONSerialization.jsonObject(with: Data(json.replacing("&amp;", with: "&").utf8))
        guard let found = object as? [String: Any] else { throw DeliberateError(json) }
        if let error = found["error"] { throw DeliberateError("\(error)") }
        return found
    }
}
