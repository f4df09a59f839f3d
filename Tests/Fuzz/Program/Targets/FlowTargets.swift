import Foundation
import FrameCore
import Motion

extension FuzzTarget {
    /// Middlebury flow files.
    static let flo = FuzzTarget("flo") { bytes in
        let flow = try DenseFlow(flo: Data(bytes))
        require([UInt8](flow.flo()) == bytes, "a .flo file written again differs from the one read")
        _ = flow.halfPrecision()
        _ = try OpticalFlow(forward: flow, backward: flow)
    }

    /// Our own flow files. The checksum is corrected first, since no mutation would ever match it.
    static let opticalFlow = FuzzTarget("vfxflow", longestInput: 16384) { bytes in
        var bytes = bytes
        if bytes.count >= 4 {
            let sum = CRC32.of(bytes.dropLast(4)).littleEndian
            withUnsafeBytes(of: sum) { bytes.replaceSubrange((bytes.count - 4)..., with: $0) }
        }
        let flow = try OpticalFlow(decoding: Data(bytes))
        require([UInt8](flow.encoded()) == bytes, "a .vfxflow file written again differs from the one read")
    }
}
