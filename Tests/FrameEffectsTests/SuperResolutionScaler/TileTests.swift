import FrameCore
import FrameEffects
import Motion
import TestSupport
import Testing

/// Tiles of a picture that are doubled by another network, or in a second rotation.
@Suite struct TileTests {
    private func texture(_ depth: Int = 8, width: Int = 251, height: Int = 149) throws -> PixelBuffer {
        try GeneratedPicture.texture(
            PixelFormat(subsampling: .monochrome, bitDepth: depth), width: width, height: height)
    }

    /// Marks about every second tile, the same ones each time.
    private func someMarks(width: Int, height: Int) -> TileMarks {
        var marks = TileMarks(width: width, height: height)
        for row in 0..<marks.rows {
            for column in 0..<marks.columns { marks[column, row] = (row * 7 + column * 5 + row * column) % 4 < 2 }
        }
        return marks
    }

    private func network(
        _ model: SuperResolutionNetwork.Model, _ rotations: SuperResolutionNetwork.Rotations = .one, threads: Int = 2
    ) -> SuperResolutionNetwork {
        SuperResolutionNetwork(NetworkWeights(model), rotations: rotations, context: .init(threads: threads))
    }

    /// Returns a picture of twice the size that `body` writes.
    private func twice(
        _ picture: PixelBuffer, _ body: (Plane, MutablePlane) throws(FrameError) -> Void
    ) throws -> PixelBuffer {
        var result = try PixelBuffer(format: picture.format, width: 2 * picture.width, height: 2 * picture.height)
        try picture.withPlanes { source throws(FrameError) in
            try result.withOverwrittenPlanes { planes throws(FrameError) in try body(source[0], planes[0]) }
        }
        return result
    }

    private func doubled(
        _ picture: PixelBuffer, _ model: SuperResolutionNetwork.Model,
        _ rotations: SuperResolutionNetwork.Rotations = .one
    ) throws -> PixelBuffer {
        try twice(picture) { source, target throws(FrameError) in
            try network(model, rotations).apply(source, into: target, bitDepth: picture.format.bitDepth)
        }
    }

    @Test(arguments: [(1, 1), (48, 32), (49, 33), (251, 149), (960, 540)])
    func rectanglesCoverTheMarkedTilesOnce(_ width: Int, _ height: Int) {
        let marks = someMarks(width: width, height: height)
        var covered = [Int](repeating: 0, count: width * height)
        for area in marks.rectangles {
            for y in area.rows {
                for x in area.columns { covered[y * width + x] += 1 }
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                let isMarked = marks[x / TileMarks.tileWidth, y / TileMarks.tileHeight]
                #expect(covered[y * width + x] == (isMarked ? 1 : 0), "\(x), \(y)")
                if covered[y * width + x] != (isMarked ? 1 : 0) { return }
            }
        }
    }

    /// Each sample is the one that its network gives for the whole plane, so no seam is possible that is not a difference
    /// between the networks.
    @Test(arguments: [8, 10], [1, 3]) func eachTileIsDoubledByItsNetwork(_ depth: Int, _ threads: Int) throws {
        let picture = try texture(depth), marks = someMarks(width: picture.width, height: picture.height)
        let mixed = try twice(picture) { source, target throws(FrameError) in
            try network(.large, threads: threads).double(
                source, into: target, bitDepth: depth, with: NetworkWeights(.small), in: marks)
        }
        let large = try doubled(picture, .large).samples(ofPlane: 0)
        let small = try doubled(picture, .small).samples(ofPlane: 0)
        let wanted = large.indices.map { index in
            let x = index % mixed.width / 2, y = index / mixed.width / 2
            return marks[x / TileMarks.tileWidth, y / TileMarks.tileHeight] ? small[index] : large[index]
        }
        #expect(mixed.samples(ofPlane: 0) == wanted)
    }

    /// The first rotation has been rounded before the mean is taken, so that a sample may be one off.
    @Test(arguments: [8, 10], [1, 3]) func halfATurnIsAddedToMarkedTilesOnly(_ depth: Int, _ threads: Int) throws {
        let picture = try texture(depth), marks = someMarks(width: picture.width, height: picture.height)
        let once = try doubled(picture, .large)
        var result = once
        try picture.withPlanes { source throws(FrameError) in
            try result.withMutablePlanes { planes throws(FrameError) in
                network(.large, threads: threads).addHalfTurn(source[0], to: planes[0], bitDepth: depth, in: marks)
            }
        }
        let both = try doubled(picture, .large, .two).samples(ofPlane: 0)
        let before = once.samples(ofPlane: 0), after = result.samples(ofPlane: 0)
        for index in after.indices {
            let x = index % once.width / 2, y = index / once.width / 2
            if marks[x / TileMarks.tileWidth, y / TileMarks.tileHeight] {
                #expect(abs(Int(after[index]) - Int(both[index])) <= 1)
            } else {
                #expect(after[index] == before[index])
            }
        }
    }

    /// The same luma, 8 bits with margins and with a weight for each sample.
    private func plane(width: Int, height: Int, _ value: (Int, Int) -> UInt8) throws -> PaddedPlane {
        let plane = try PaddedPlane(width: width, height: height, bytesPerSample: 1, margin: 1)
        for y in 0..<height {
            for x in 0..<width {
                plane.row(y).storeBytes(of: value(x, y), toByteOffset: x, as: UInt8.self)
            }
        }
        return plane
    }

    /// Text on the left, a ramp on the right.
    @Test func detailDecidesWhichTilesAreWorthTheWork() throws {
        let width = 4 * TileMarks.tileWidth, height = 2 * TileMarks.tileHeight
        // A tile's detail includes the differences from the samples next to it, so the text ends before its tile does.
        func value(_ x: Int, _ y: Int) -> UInt8 {
            x < width / 2 - 4 ? (x / 3 + y / 5) % 2 == 0 ? 20 : 220 : UInt8(x / 2)
        }
        let luma = try plane(width: width, height: height, value)
        let source = Plane(
            base: UnsafeRawPointer(luma.row(0)), stride: luma.stride, width: width, height: height)
        let faint = TileDetail.faint(in: source, bitDepth: 8, context: .init(threads: 2))
        // The weights of the two other frames: none at the top, nearly all at the bottom.
        let weights = try plane(width: width, height: height) { _, y in y < height / 2 ? 0 : 255 }
        let some = try plane(width: width, height: height) { _, _ in 85 }
        for threads in [1, 3] {
            let own = TileDetail.own(of: luma, beside: [weights, some], context: .init(threads: threads))
            for row in 0..<2 {
                for column in 0..<4 {
                    #expect(faint[column, row] == (column >= 2))
                    #expect(own[column, row] == (column < 2 && row == 0), "\(column), \(row)")
                }
            }
        }
    }
}
