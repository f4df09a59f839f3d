/// Checksums of what each revision makes of the drawn frames in ``RevisionChecksumTests``.
///
/// A revision pins the output bits: once it has been released its numbers never change. Those of a revision that has not
/// been released are renewed here, from the lines that the failing test prints.
enum RevisionChecksums {
    static let table: [String: UInt64] = [
        "frameRateConversion revision1 normal yuv420p": 0x414D8B21802A84B1,
        "frameRateConversion revision1 normal yuv422p10": 0x5D8E483203F227E8,
        "motionBlur revision1 normal yuv420p": 0xCF6C6AAE59BEEC87,
        "motionBlur revision1 normal yuv422p10": 0x96C5783E5FCC4A37,
        "temporalNoiseFilter revision1 normal yuv420p": 0x53BFB314154E971F,
        "temporalNoiseFilter revision1 normal yuv422p10": 0x6EC25D9190E96957,
        "opticalFlow revision1 normal": 0x5AB798FA9EF05098,
        "frameRateConversion revision1 quality yuv420p": 0x202304C20B5EE91F,
        "frameRateConversion revision1 quality yuv422p10": 0xD4985F6506BD61C2,
        "motionBlur revision1 quality yuv420p": 0xDAE74C8A62B05595,
        "motionBlur revision1 quality yuv422p10": 0xE1A30F76BC9D0378,
        "temporalNoiseFilter revision1 quality yuv420p": 0xC4FBCF22B4D14821,
        "temporalNoiseFilter revision1 quality yuv422p10": 0x5EB9A41F243D1C7C,
        "opticalFlow revision1 quality": 0xA9444F54C88A5679,
        "frameRateConversion revision1 normal yuv420p 720x500": 0xCE8D023463F54FEA,
        "frameRateConversion revision1 normal yuv422p10 720x500": 0x5ACF1EA44960A4AA,
        "motionBlur revision1 normal yuv420p 720x500": 0xE7162C0EEE582BA2,
        "motionBlur revision1 normal yuv422p10 720x500": 0xC86413D5B4173F97,
        "temporalNoiseFilter revision1 normal yuv420p 720x500": 0x997ACE52FACC01BF,
        "temporalNoiseFilter revision1 normal yuv422p10 720x500": 0x4DAC38449F2CC9D,
        "opticalFlow revision1 normal 720x500": 0x357F1DEFA17F8015,
        "frameRateConversion revision1 quality yuv420p 720x500": 0x7CB42116779AF386,
        "frameRateConversion revision1 quality yuv422p10 720x500": 0x559232AC275B1CA7,
        "motionBlur revision1 quality yuv420p 720x500": 0xF31F6FB1EFFAC4A4,
        "motionBlur revision1 quality yuv422p10 720x500": 0x43D68672FE3A938D,
        "temporalNoiseFilter revision1 quality yuv420p 720x500": 0xA0BDB528C8F894E7,
        "temporalNoiseFilter revision1 quality yuv422p10 720x500": 0xF5D666F46F956C2F,
        "opticalFlow revision1 quality 720x500": 0xBF691307ED8C0951,
    ]
}
