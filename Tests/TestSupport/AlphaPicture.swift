public import FrameCore

/// Generated frames with alpha or in RGB.
public enum AlphaPicture {
    /// Formats with alpha and RGB of a depth.
    public static func formats(depth: Int) throws -> [PixelFormat] {
        try ChromaSubsampling.allCases.map { try PixelFormat(subsampling: $0, bitDepth: depth, hasAlpha: true) }
            + [PixelFormat(rgbDepth: depth), PixelFormat(rgbDepth: depth, hasAlpha: true)]
    }

    /// The same for 8, 10, 12 and 16 bits.
    public static func formats() throws -> [PixelFormat] { try [8, 10, 12, 16].flatMap { try formats(depth: $0) } }

    /// Returns colors that change from sample to sample and take all codes, under alpha with transparent, opaque and
    /// translucent areas.
    public static func texture(
        _ format: PixelFormat, width: Int, height: Int, seed: Int = 0
    ) throws -> PixelBuffer {
        let most = format.maximumValue
        return try GeneratedPicture.drawCodes(format, width: width, height: height) { plane, x, y in
            let hash = (x &* 73_856_093) ^ (y &* 19_349_663) ^ ((plane &+ 5 &* seed) &* 83_492_791)
            let code = (hash >> 5) & most
            guard plane == format.alphaPlane else { return code }
            switch (x / 7 + y / 5) % 4 {
            case 0: return 0
            case 1: return most
            default: return code
            }
        }
    }

    /// Returns the picture with the largest value as alpha.
    public static func opaque(_ picture: PixelBuffer) throws -> PixelBuffer {
        let format = picture.format.withAlpha,
            planes = (0..<picture.format.colorPlaneCount).map(picture.samples(ofPlane:))
        return try GeneratedPicture.drawCodes(format, width: picture.width, height: picture.height) { plane, x, y in
            plane == format.alphaPlane
                ? format.maximumValue : Int(planes[plane][y * format.planeWidth(plane, width: picture.width) + x])
        }
    }
}

/// A textured disc with a soft edge that moves over a transparent background. The hidden colors of the background are
/// saturated and do not move.
public struct MovingDisc: Sendable {
    /// A ground to see the disc over.
    public struct Ground: Sendable {
        let yCbCr: [Float]
        let rgb: [Float]

        /// Black, white, and a green that nothing in the picture has.
        public static let all = [
            Ground(yCbCr: [16, 128, 128], rgb: [0, 0, 0]), Ground(yCbCr: [235, 128, 128], rgb: [255, 255, 255]),
            Ground(yCbCr: [145, 54, 34], rgb: [255, 0, 0]),
        ]
    }

    public let format: PixelFormat
    public let width: Int
    public let height: Int
    /// Pixels per unit of time.
    public let velocity: (x: Float, y: Float)
    /// The width of the edge in pixels.
    private static let softness: Float = 3
    private var radius: Float { Float(min(width, height)) * 0.28 }

    public init(_ format: PixelFormat, width: Int = 161, height: Int = 123, velocity: (x: Float, y: Float) = (9, -4)) {
        (self.format, self.width, self.height, self.velocity) = (format, width, height, velocity)
    }

    /// Returns the disc at a time; 0 is the middle of the picture.
    public func picture(_ time: Float) throws -> PixelBuffer {
        try scene.picture(time, format, width: width, height: height)
    }

    private var scene: MovingScene {
        let format = format, velocity = velocity, radius = radius
        let centre = (x: Float(width) / 2, y: Float(height) / 2)
        let textures = NoiseTexture.planes(11), loud = NoiseTexture(seed: 5, finest: 6)
        let opaque = Float(format.maximumValue) / Float(1 << (format.bitDepth - 8))
        return MovingScene { plane, x, y, t in
            let (u, v) = (x - velocity.x * t - centre.x, y - velocity.y * t - centre.y)
            let distance = (u * u + v * v).squareRoot()
            if plane == format.alphaPlane {
                return opaque * max(0, min(1, (radius - distance) / Self.softness + 0.5))
            }
            // Samples of coarser chroma cover several pixels.
            let reach = radius + Self.softness / 2 + Float(format.shift(plane).x)
            guard distance < reach else { return loud.value(x, y) > 128 ? 255 : 0 }
            let texture = textures[plane].value(u, v) - 128
            if format.isRGB { return [90, 150, 200][plane] + 0.5 * texture }
            return plane == 0 ? 120 + 0.7 * texture : (plane == 1 ? 100 : 160) + 0.2 * texture
        }
    }

    /// Returns the mean difference of two pictures as seen over all grounds, in 8-bit code values.
    public func difference(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
        var sum = 0.0, count = 0.0
        let scale = Float(1 << (format.bitDepth - 8))
        for plane in 0..<format.colorPlaneCount {
            let shares = [a, b].map { share($0, plane) }, colors = [a, b].map { $0.samples(ofPlane: plane) }
            for ground in Ground.all {
                let level = (format.isRGB ? ground.rgb : ground.yCbCr)[plane] * scale
                for index in colors[0].indices {
                    let seen = [0, 1].map { level + (Float(colors[$0][index]) - level) * shares[$0][index] }
                    sum += Double(abs(seen[0] - seen[1]) / scale)
                    count += 1
                }
            }
        }
        return sum / count
    }

    /// Returns the mean alpha that the samples of a plane cover, 0…1.
    private func share(_ picture: PixelBuffer, _ plane: Int) -> [Float] {
        guard let alpha = format.alphaPlane else { return [] }
        let samples = picture.samples(ofPlane: alpha), shift = format.shift(plane)
        let columns = format.planeWidth(plane, width: width), most = Float(format.maximumValue)
        return (0..<format.planeHeight(plane, height: height)).flatMap { y in
            (0..<columns).map { x in
                var sum: Float = 0
                for j in 0...shift.y {
                    for i in 0...shift.x {
                        let (u, v) = (min((x << shift.x) + i, width - 1), min((y << shift.y) + j, height - 1))
                        sum += Float(samples[v * width + u])
                    }
                }
                return sum / most / Float(1 << (shift.x + shift.y))
            }
        }
    }
}
