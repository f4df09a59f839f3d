import FrameCore

extension FuzzTarget {
    /// Film grain tables.
    static let grainTable = FuzzTarget("grain-table") { bytes in
        let table = try FilmGrainTable(text: String(decoding: bytes, as: UTF8.self))
        let again = try FilmGrainTable(text: table.text)
        require(again.entries == table.entries.filter { $0.grain != nil }, "a table read back differs")
        for entry in table.entries { try entry.grain?.check() }
        _ = (table.isEmpty, table.grain(at: .zero), table.from(MediaTime(value: 1, timescale: 1)))
    }
}
