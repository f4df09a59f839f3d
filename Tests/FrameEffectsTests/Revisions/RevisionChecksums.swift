/// Checksums of what each revision makes of the drawn frames in ``RevisionChecksumTests``.
///
/// A revision pins the output bits: once it has been released its numbers never change. Those of a revision that has not
/// been released are renewed here, from the lines that the failing test prints.
enum RevisionChecksums {
    static let table: [String: UInt64] = [
        "frameRateConversion revision1 normal yuv420p": 0x4537CBBB13DFC918,
        "frameRateConversion revision1 normal yuv422p10": 0xB56C9E058B1663E7,
        "frameRateConversion revision1 quality yuv420p": 0x48BAB284B773B4DD,
        "frameRateConversion revision1 quality yuv422p10": 0x2F0073A9CDA84AC5,
    ]
}
