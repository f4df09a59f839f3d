package import FrameCore
package import Motion

/// The fine detail of a picture's tiles: the mean square of the second differences of luma, in 8-bit grey levels.
///
/// It decides how much work a tile is worth. The sums are integers, and each tile has its own, so they depend neither on the
/// threads nor on the processor.
package enum TileDetail {
    /// A tile with less detail is doubled by a small network. On five clips, a sixth to three fifths of the tiles of natural
    /// and animated scenes have less, and the result is the same to 0.01 dB. Chosen by hand, November 2026.
    private static let leastForNetwork = 80
    /// A tile with more detail that no other frame gives is doubled in a second rotation: on five clips, 2 to 32 % of the
    /// tiles of natural and animated scenes, and nearly all of text. The second rotation of all tiles would gain 0.02 dB
    /// more on average. Chosen by hand, November 2026.
    private static let leastForRotation = 400

    /// Returns the tiles of a luma plane that a small network doubles as well as a large one.
    package static func faint(in luma: Plane, bitDepth: Int, context: ExecutionContext) -> TileMarks {
        nonisolated(unsafe) let luma = luma
        return TileMarks(width: luma.width, height: luma.height, threads: context.threads) { area in
            let sum = sum(PixelFormat.typeOfSample(bitDepth: bitDepth), luma, bitDepth - 8, area, [])
            return sum < leastForNetwork * whole * area.count
        }
    }

    /// Returns the tiles whose detail comes from the picture itself rather than from other frames.
    ///
    /// - Parameters:
    ///   - luma: 8-bit luma.
    ///   - weights: those of the detail of each other frame, one for each sample, in 1/256.
    package static func own(of luma: PaddedPlane, beside weights: [PaddedPlane], context: ExecutionContext) -> TileMarks
    {
        TileMarks(width: luma.width, height: luma.height, threads: context.threads) { area in
            let plane = Plane(
                base: UnsafeRawPointer(luma.bytes), stride: luma.stride, width: luma.width, height: luma.height)
            return sum(UInt8.self, plane, 0, area, weights) > leastForRotation * whole * area.count
        }
    }

    /// Returns the tiles that have a single value, as far as a network looks beyond them.
    static func flat(in plane: Plane, bitDepth: Int, context: ExecutionContext) -> TileMarks {
        nonisolated(unsafe) let plane = plane
        return TileMarks(width: plane.width, height: plane.height, threads: context.threads) { area in
            isFlat(PixelFormat.typeOfSample(bitDepth: bitDepth), plane, area)
        }
    }

    /// More than the samples that any network looks beyond a tile.
    private static let surroundings = 16

    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func isFlat<Sample: PixelSample>(_: Sample.Type, _ plane: Plane, _ area: TileRectangle) -> Bool {
        let columns =
            max(0, area.columns.lowerBound - surroundings)..<min(plane.width, area.columns.upperBound + surroundings)
        let rows = max(0, area.rows.lowerBound - surroundings)..<min(plane.height, area.rows.upperBound + surroundings)
        let first = plane.row(rows.lowerBound).assumingMemoryBound(to: Sample.self)[columns.lowerBound]
        return rows.allSatisfy { y in
            let row = plane.row(y).assumingMemoryBound(to: Sample.self)
            return columns.allSatisfy { row[$0] == first }
        }
    }

    /// The share of a sample's detail that is its own if there are no other frames.
    private static let whole = 256

    /// Returns the sum of squared second differences, each times the share that none of the weights covers, in 1/256.
    @specialized(where Sample == UInt8) @specialized(where Sample == UInt16)
    private static func sum<Sample: PixelSample>(
        _: Sample.Type, _ plane: Plane, _ shift: Int, _ area: TileRectangle, _ weights: [PaddedPlane]
    ) -> Int {
        let shares = Scratch<Int32>(area.columns.count), shift = Int32(truncatingIfNeeded: shift)
        let first = area.columns.lowerBound, last = plane.width - 1
        var sum = 0
        for y in area.rows {
            func row(_ y: Int) -> UnsafePointer<Sample> {
                plane.row(min(max(y, 0), plane.height - 1)).assumingMemoryBound(to: Sample.self)
            }
            for x in 0..<shares.count { shares.base[x] = Int32(whole) }
            for plane in weights {
                let weight = plane.bytes + y * plane.stride + first
                for x in 0..<shares.count { shares.base[x] = (shares.base[x] &* (256 &- Int32(weight[x]))) &>> 8 }
            }
            let above = row(y - 1), here = row(y), below = row(y + 1)
            for x in area.columns {
                let sides =
                    Int32(truncatingIfNeeded: here[max(x &- 1, 0)])
                    &+ Int32(truncatingIfNeeded: here[min(x &+ 1, last)])
                let ends = Int32(truncatingIfNeeded: above[x]) &+ Int32(truncatingIfNeeded: below[x])
                let bend = (4 &* Int32(truncatingIfNeeded: here[x]) &- sides &- ends) &>> shift
                sum &+= Int(bend &* bend &* shares.base[x &- first])
            }
        }
        return sum
    }
}
