/// Checksums of what each revision makes of the drawn frames in ``RevisionChecksumTests``.
///
/// A revision pins the output bits: once it has been released its numbers never change. Those of a revision that has not
/// been released are renewed here, from the lines that the failing test prints.
enum RevisionChecksums {
    static let table: [String: UInt64] = [
        "frameRateConversion revision1 normal yuv420p": 0x15707A530A989942,
        "frameRateConversion revision1 normal yuv422p10": 0x30C0DDE5670AF289,
        "motionBlur revision1 normal yuv420p": 0xBA95705C7C26650C,
        "motionBlur revision1 normal yuv422p10": 0x97C5409107397848,
        "temporalNoiseFilter revision1 normal yuv420p": 0x89E571E59E60A07D,
        "temporalNoiseFilter revision1 normal yuv422p10": 0x24C6AC5CB22FBB41,
        "opticalFlow revision1 normal": 0xD1F94506B0BCC194,
        "frameRateConversion revision1 quality yuv420p": 0x202304C20B5EE91F,
        "frameRateConversion revision1 quality yuv422p10": 0xD4985F6506BD61C2,
        "motionBlur revision1 quality yuv420p": 0xEA5B141FB9AEB26B,
        "motionBlur revision1 quality yuv422p10": 0xEA57C1BB019E8435,
        "temporalNoiseFilter revision1 quality yuv420p": 0x87236B7F154D31DD,
        "temporalNoiseFilter revision1 quality yuv422p10": 0x209FCBF960A0DB66,
        "opticalFlow revision1 quality": 0xA9444F54C88A5679,
        "frameRateConversion revision1 normal yuv420p 720x500": 0xC4928FCA4EF50500,
        "frameRateConversion revision1 normal yuv422p10 720x500": 0xFC2123D987876353,
        "motionBlur revision1 normal yuv420p 720x500": 0xEFB7C481D40216F9,
        "motionBlur revision1 normal yuv422p10 720x500": 0xA9B3A73DCCB81763,
        "temporalNoiseFilter revision1 normal yuv420p 720x500": 0x4704E58448A5B82B,
        "temporalNoiseFilter revision1 normal yuv422p10 720x500": 0xED817BDB0BBC2FB9,
        "opticalFlow revision1 normal 720x500": 0x8C25ABE1DB5F0503,
        "frameRateConversion revision1 quality yuv420p 720x500": 0x7CB42116779AF386,
        "frameRateConversion revision1 quality yuv422p10 720x500": 0x559232AC275B1CA7,
        "motionBlur revision1 quality yuv420p 720x500": 0x61DC91757E05CC05,
        "motionBlur revision1 quality yuv422p10 720x500": 0xEED4FA00EB522C2D,
        "temporalNoiseFilter revision1 quality yuv420p 720x500": 0x8E4ABB016D8FA779,
        "temporalNoiseFilter revision1 quality yuv422p10 720x500": 0xE39FD8A6362A07F2,
        "opticalFlow revision1 quality 720x500": 0xBF691307ED8C0951,
    ]
}
