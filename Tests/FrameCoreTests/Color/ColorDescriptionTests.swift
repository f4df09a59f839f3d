import FrameCore
import Testing

@Suite struct ColorDescriptionTests {
    @Test func theGuessDependsOnTheHeight() {
        let high = ColorDescription(
            matrix: .bt709, primaries: .bt709, transfer: .bt709, range: .limited, chromaLocation: .left)
        let low = ColorDescription(
            matrix: .smpte170M, primaries: .smpte170M, transfer: .smpte170M, range: .limited, chromaLocation: .left)
        let pal = ColorDescription(
            matrix: .bt470BG, primaries: .bt470BG, transfer: .smpte170M, range: .limited, chromaLocation: .left)
        #expect(ColorDescription.unspecified.resolved(height: 720) == high)
        #expect(ColorDescription.unspecified.resolved(height: 719) == low)
        #expect(ColorDescription.unspecified.resolved(height: 480) == low)
        #expect(ColorDescription.unspecified.resolved(height: 576) == pal)
        #expect(ColorDescription.unspecified.resolved(height: 288) == pal)
    }

    @Test func whatIsSaidIsKept() {
        let said = ColorDescription(
            matrix: .bt2020NonConstantLuminance, primaries: ColorPrimaries(rawValue: 255), transfer: .pq, range: .full,
            chromaLocation: .topLeft)
        #expect(said.resolved(height: 480) == said)
        let part = ColorDescription(transfer: .pq)
        #expect(
            part.resolved(height: 480).transfer == .pq
                && part.resolved(height: 480).matrix == .bt2020NonConstantLuminance)
    }

    /// Primaries and transfer of another standard than the matrix would contradict it.
    @Test(
        arguments: [
            (MatrixCoefficients.bt709, ColorPrimaries.bt709, TransferCharacteristics.bt709),
            (.bt470BG, .bt470BG, .smpte170M), (.smpte170M, .smpte170M, .smpte170M),
            (.smpte240M, .smpte240M, .smpte240M), (.fcc, .bt470M, .gamma22),
            (.bt2020NonConstantLuminance, .bt2020, .bt2020TenBit), (.identity, .bt709, .sRGB),
        ], [288, 480, 576, 1080])
    func whatIsUnspecifiedFollowsWhatIsKnown(
        standard: (MatrixCoefficients, ColorPrimaries, TransferCharacteristics), height: Int
    ) {
        let (matrix, primaries, transfer) = standard
        let fromMatrix = ColorDescription(matrix: matrix).resolved(height: height)
        #expect(fromMatrix.primaries == primaries && fromMatrix.transfer == transfer)
        guard matrix != .identity else { return }
        let fromPrimaries = ColorDescription(primaries: primaries).resolved(height: height)
        #expect(fromPrimaries.matrix == matrix && fromPrimaries.transfer == transfer)
    }

    @Test func fullRangeBT601IsTheEncodingOfJPEG() {
        let known = ColorDescription(matrix: .bt470BG, range: .full).resolved(height: 480)
        #expect(known.primaries == .bt709 && known.transfer == .sRGB)
    }

    @Test func highDynamicRangeIsBT2020() {
        for transfer in [TransferCharacteristics.pq, .hlg] {
            let known = ColorDescription(transfer: transfer).resolved(height: 480)
            #expect(known.matrix == .bt2020NonConstantLuminance && known.primaries == .bt2020)
        }
    }

    @Test(arguments: [480, 1080]) func resolvingTwiceChangesNothing(height: Int) {
        let once = ColorDescription.unspecified.resolved(height: height)
        #expect(once.resolved(height: 480) == once && once.resolved(height: 1080) == once)
    }
}
