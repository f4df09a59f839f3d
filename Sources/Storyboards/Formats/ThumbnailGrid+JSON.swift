public import FrameCore
import Foundation

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
    public static let maximumBytes = 1 << 16

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
