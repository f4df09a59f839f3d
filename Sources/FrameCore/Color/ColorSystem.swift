/// A standard's matrix, primaries and transfer, which belong together.
struct ColorSystem {
    let matrix: MatrixCoefficients
    let primaries: ColorPrimaries
    let transfer: TransferCharacteristics

    private static let hdtv = ColorSystem(matrix: .bt709, primaries: .bt709, transfer: .bt709)
    private static let lines525 = ColorSystem(matrix: .smpte170M, primaries: .smpte170M, transfer: .smpte170M)
    private static let lines625 = ColorSystem(matrix: .bt470BG, primaries: .bt470BG, transfer: .smpte170M)
    private static let earlyHDTV = ColorSystem(matrix: .smpte240M, primaries: .smpte240M, transfer: .smpte240M)
    private static let ntsc1953 = ColorSystem(matrix: .fcc, primaries: .bt470M, transfer: .gamma22)
    private static let uhdtv = ColorSystem(
        matrix: .bt2020NonConstantLuminance, primaries: .bt2020, transfer: .bt2020TenBit)
    private static let rgb = ColorSystem(matrix: .identity, primaries: .bt709, transfer: .sRGB)
    /// sRGB as YCbCr, as in JPEG files.
    private static let sYCC = ColorSystem(matrix: .bt470BG, primaries: .bt709, transfer: .sRGB)

}

extension ColorSystem {
    /// Creates the system of a frame from what its tags state, in the order matrix, primaries, transfer; if they state
    /// nothing, from its height.
    init(_ color: ColorDescription, height: Int) {
        self =
            Self.system(of: color.matrix, color.range) ?? Self.system(of: color.primaries) ?? Self.system(
                of: color.transfer)
            ?? Self.system(ofHeight: height)
    }

    private static func system(ofHeight height: Int) -> ColorSystem {
        if height >= 720 { return hdtv }
        // 576 visible rows of 625 lines, with blanking in professional files, and half of them.
        return [288, 576, 608].contains(height) ? lines625 : lines525
    }

    private static func system(of matrix: MatrixCoefficients, _ range: ColorDescription.Range) -> ColorSystem? {
        switch matrix {
        case .identity: rgb
        case .bt709: hdtv
        case .fcc: ntsc1953
        case .bt470BG: range == .full ? sYCC : lines625
        case .smpte170M: lines525
        case .smpte240M: earlyHDTV
        case .bt2020NonConstantLuminance, .bt2020ConstantLuminance: uhdtv
        default: nil
        }
    }

    private static func system(of primaries: ColorPrimaries) -> ColorSystem? {
        switch primaries {
        // DCI-P3 and Display P3 are used with the matrix and transfer of HDTV.
        case .bt709, .dciP3, .displayP3: hdtv
        case .bt470M: ntsc1953
        case .bt470BG: lines625
        case .smpte170M: lines525
        case .smpte240M: earlyHDTV
        case .bt2020: uhdtv
        default: nil
        }
    }

    /// The functions of BT.709 and BT.601 are the same, and sRGB is used with both matrices, so these determine nothing.
    private static func system(of transfer: TransferCharacteristics) -> ColorSystem? {
        switch transfer {
        case .smpte240M: earlyHDTV
        case .bt2020TenBit, .bt2020TwelveBit, .pq, .hlg: uhdtv
        default: nil
        }
    }
}
