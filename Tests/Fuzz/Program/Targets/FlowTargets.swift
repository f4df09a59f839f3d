import Foundation
import FrameCore
import Motion

extension FuzzTarget {
    /// Middlebury's files of vectors.
    static let flo = FuzzTarget("flo") { bytes in
        let flow = try DenseFlow(flo: Data(bytes))
        require([UInt8](flow.flo()) == bytes, "a .flo file is not written as it was read")
        _ = flow.halfPrecision()
        _ = try OpticalFlow(forward: flow, backward: flow)
    }

    /// Our own files of motion. The checksum is put right first, since no mutation would ever meet it.
    static let opticalFlow = FuzzTarget("vfxflow", longestInput: 16384) { bytes in
        var bytes = bytes
        if bytes.count >= 4 {
            let sum = CRC32.of(bytes.dropLast(4)).littleEndian
            withUnsafeBytes(of: sum) { bytes.replaceSubrange((bytes.count - 4)..., with: $0) }
        }
        let flow = try OpticalFlow(decoding: Data(bytes))
        require([UInt8](flow.encoded()) == bytes, "a .vfxflow file is not written as it was read")
    }
}
