internal import Foundation
public import FrameCore

/// Numbered images with a fixed grid of tiles each, as castLabs' players describe them.
public struct ThumbnailGrid: Sendable, Hashable {
    /// What the images' names are put behind; may hold `$index$`.
    public var baseURL: String
    /// The images' names, `$index$` standing for a number that begins at 1.
    public var pathTemplate: String
    /// Tiles side by side.
    public var columns: Int
    /// Tiles one below the other.
    public var rows: Int
    /// How long a tile stands, in milliseconds.
    public var durationMilliseconds: Int64
    /// Number of the last image; nil when not known.
    public var maximumIndex: Int?

    /// Images that a grid may have.
    package static let indexRange = 1...100_000
    /// Bytes that its base address and its template may have, each.
    package static let maximumAddressBytes = 2048

    /// A grid.
    ///
    /// - Throws: `FrameError` for sides below 1, for more than is allowed, and where `$index$` stands nowhere.
    public init(
        baseURL: String, pathTemplate: String, columns: Int, rows: Int, durationMilliseconds: Int64,
        maximumIndex: Int? = nil
    ) throws(FrameError) {
        guard (1...1000).contains(columns), (1...1000).contains(rows), durationMilliseconds >= 1,
            durationMilliseconds <= 86_400_000, maximumIndex.map(Self.indexRange.contains) ?? true
        else {
            throw FrameError(
                .input,
                "a grid of \(columns)x\(rows) tiles of \(durationMilliseconds) ms is not allowed; all are at least 1")
        }
        guard max(baseURL.utf8.count, pathTemplate.utf8.count) <= Self.maximumAddressBytes else {
            throw FrameError(
                .input, "the grid's address is longer than the \(Self.maximumAddressBytes) bytes that are allowed")
        }
        guard maximumIndex == 1 || baseURL.contains("$index$") || pathTemplate.contains("$index$") else {
            throw FrameError(.input, "neither base address nor template holds $index$")
        }
        self.baseURL = baseURL
        self.pathTemplate = pathTemplate
        self.columns = columns
        self.rows = rows
        self.durationMilliseconds = durationMilliseconds
        self.maximumIndex = maximumIndex
    }

    /// The name of an image.
    /// - Parameter index: from 1.
    public func image(_ index: Int) -> String {
        let base = baseURL.isEmpty || baseURL.hasSuffix("/") || baseURL.contains("$index$") ? baseURL : baseURL + "/"
        return (base + pathTemplate).replacing("$index$", with: String(index))
    }
}

extension ThumbnailGrid {
    private struct Document: Decodable {
        var baseUrl: String?
        var pathTemplate: String?
        var gridWidth: Int?
        var gridHeight: Int?
        var durationMs: Int64?
        var maxIndex: Int?
        var columns: Int?
        var rows: Int?
    }

    /// Bytes that a grid description may have.
    package static let maximumBytes = 1 << 16

    /// A grid from its description; `columns` and `rows` win over `gridWidth` and `gridHeight`.
    ///
    /// - Throws: `FrameError` for what is missing or not allowed.
    public init(json bytes: [UInt8]) throws(FrameError) {
        guard bytes.count <= Self.maximumBytes else {
            throw FrameError(
                .input, "the grid description has \(bytes.count) bytes; \(Self.maximumBytes) are allowed")
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        } catch {
            throw FrameError(.input, "the grid description is no JSON object of the expected kind", cause: error)
        }
        guard let columns = document.columns ?? document.gridWidth, let rows = document.rows ?? document.gridHeight,
            let duration = document.durationMs
        else { throw FrameError(.input, "the grid description lacks gridWidth, gridHeight or durationMs") }
        try self.init(
            baseURL: document.baseUrl ?? "", pathTemplate: document.pathTemplate ?? "", columns: columns, rows: rows,
            durationMilliseconds: duration, maximumIndex: document.maxIndex)
    }
}
