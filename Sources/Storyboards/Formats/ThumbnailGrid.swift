internal import Foundation
public import FrameCore

/// Numbered images with a fixed grid of tiles each, as described for castLabs' players.
public struct ThumbnailGrid: Sendable, Hashable {
    /// The prefix of the images' names; may contain `$index$`.
    public var baseURL: String
    /// The images' names, in which `$index$` is replaced by a number that starts at 1.
    public var pathTemplate: String
    /// The number of tiles per row.
    public var columns: Int
    /// The number of tile rows.
    public var rows: Int
    /// How long each tile is shown, in milliseconds.
    public var durationMilliseconds: Int64
    /// The number of the last image; nil if unknown.
    public var maximumIndex: Int?

    /// The numbers that a grid's images may have.
    package static let indexRange = 1...100_000
    /// The maximum size of the base address and of the template, in bytes each.
    package static let maximumAddressBytes = 2048

    /// Creates a grid.
    ///
    /// - Throws: `FrameError` for columns, rows or durations below 1, for values above the limits, and when `$index$`
    ///   is missing.
    public init(
        baseURL: String, pathTemplate: String, columns: Int, rows: Int, durationMilliseconds: Int64,
        maximumIndex: Int? = nil
    ) throws(FrameError) {
        guard (1...1000).contains(columns), (1...1000).contains(rows), durationMilliseconds >= 1,
            durationMilliseconds <= 86_400_000, maximumIndex.map(Self.indexRange.contains) ?? true
        else {
            throw FrameError(
                .input,
                "a grid of \(columns)x\(rows) tiles of \(durationMilliseconds) ms is not allowed; each value must be at least 1"
            )
        }
        guard max(baseURL.utf8.count, pathTemplate.utf8.count) <= Self.maximumAddressBytes else {
            throw FrameError(
                .input, "the grid's address is too long; \(Self.maximumAddressBytes) bytes are allowed")
        }
        guard maximumIndex == 1 || baseURL.contains("$index$") || pathTemplate.contains("$index$") else {
            throw FrameError(.input, "neither the base address nor the template contains $index$")
        }
        self.baseURL = baseURL
        self.pathTemplate = pathTemplate
        self.columns = columns
        self.rows = rows
        self.durationMilliseconds = durationMilliseconds
        self.maximumIndex = maximumIndex
    }

    /// Returns the name of an image.
    /// - Parameter index: the image's number, starting at 1.
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

    /// The maximum size of a grid description, in bytes.
    package static let maximumBytes = 1 << 16

    /// Reads a grid from its JSON description; `columns` and `rows` take precedence over `gridWidth` and `gridHeight`.
    ///
    /// - Throws: `FrameError` for missing or invalid values.
    public init(json bytes: [UInt8]) throws(FrameError) {
        guard bytes.count <= Self.maximumBytes else {
            throw FrameError(
                .input, "the grid description has \(bytes.count) bytes; \(Self.maximumBytes) are allowed")
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(bytes))
        } catch {
            throw FrameError(.input, "the grid description is not a JSON object of the expected form", cause: error)
        }
        guard let columns = document.columns ?? document.gridWidth, let rows = document.rows ?? document.gridHeight,
            let duration = document.durationMs
        else { throw FrameError(.input, "the grid description lacks gridWidth, gridHeight or durationMs") }
        try self.init(
            baseURL: document.baseUrl ?? "", pathTemplate: document.pathTemplate ?? "", columns: columns, rows: rows,
            durationMilliseconds: duration, maximumIndex: document.maxIndex)
    }
}
