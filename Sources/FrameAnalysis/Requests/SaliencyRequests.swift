public import FrameCore

/// Finds where a viewer looks first.
public struct GenerateAttentionBasedSaliencyImageRequest: VideoAnalysisRequest {
    /// Creates the request.
    public init() {}

    /// Returns the heat map and one box around its hottest region.
    public func observation(of picture: AnalysisPicture) -> SaliencyImageObservation {
        SaliencyImageObservation(picture, map: picture.attention.attention, boxes: 1)
    }
}

/// Finds what stands out from the background as an object.
public struct GenerateObjectnessBasedSaliencyImageRequest: VideoAnalysisRequest {
    /// Creates the request.
    public init() {}

    /// Returns the heat map and up to three boxes.
    public func observation(of picture: AnalysisPicture) -> SaliencyImageObservation {
        SaliencyImageObservation(picture, map: picture.attention.objectness, boxes: 3)
    }
}

/// A heat map of a frame, with boxes around its hottest regions.
public struct SaliencyImageObservation: VideoObservation {
    /// A square grid stretched over the picture, with one value per cell.
    public struct HeatMap: Sendable {
        /// The number of cells per row.
        public let width: Int
        /// The number of rows.
        public let height: Int
        /// Heat from 0 (cold) to 1 (the peak), in row order from the top; all 0 for a uniform picture.
        public let values: [Float]

        /// The center of the hottest cell, in fractions of the picture's sides from its lower-left corner.
        public var peak: (x: Double, y: Double) {
            let index = values.indices.max { (values[$0], $1) < (values[$1], $0) } ?? 0
            return (
                (Double(index % width) + 0.5) / Double(width), 1 - (Double(index / width) + 0.5) / Double(height)
            )
        }
    }

    /// A region that stands out.
    public struct SalientObject: Sendable, Hashable {
        /// The region's bounding box.
        public let boundingBox: NormalizedRect
        /// The region's mean heat, 0…1.
        public let confidence: Float
    }

    public let time: MediaTime
    public let duration: MediaTime?
    /// The heat of every cell.
    public let heatMap: HeatMap
    /// The regions that stand out, hottest (by total heat) first.
    public let salientObjects: [SalientObject]

    init(_ picture: AnalysisPicture, map: FloatPlane, boxes: Int) {
        time = picture.frame.presentationTime
        duration = picture.frame.duration
        heatMap = HeatMap(width: map.width, height: map.height, values: map.values)
        salientObjects = Self.salientObjects(in: map, limit: boxes)
    }
}

/// A rectangle in fractions of a picture's sides, with its origin at the picture's lower-left corner.
public struct NormalizedRect: Sendable, Hashable {
    /// Left edge, 0…1.
    public var x: Double
    /// Lower edge, 0…1, counted upwards.
    public var y: Double
    /// Width, 0…1.
    public var width: Double
    /// Height, 0…1.
    public var height: Double

    /// Creates a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle in pixels, with its origin at the upper-left corner; NaN counts as 0.
    public func pixels(width pictureWidth: Int, height pictureHeight: Int) -> (x: Int, y: Int, width: Int, height: Int)
    {
        func whole(_ share: Double, of side: Int) -> Int {
            let length = (share * Double(side)).rounded()
            return length.isNaN ? 0 : Int(max(-1e9, min(1e9, length)))
        }
        let (left, top) = (whole(x, of: pictureWidth), whole(1 - y - height, of: pictureHeight))
        return (left, top, whole(x + width, of: pictureWidth) - left, whole(1 - y, of: pictureHeight) - top)
    }
}

extension SaliencyImageObservation {
    /// Finds boxes around the regions that stand out in a heat map.
    ///
    /// - Returns: at most `limit` boxes, the one with the highest total heat first; none for a uniform map.
    private static func salientObjects(in map: FloatPlane, limit: Int) -> [SalientObject] {
        let threshold = max(0.4, cut(map))
        let regions = connectedRegions(in: map.values.map { $0 >= threshold }, width: map.width).map { cells in
            var region = (x0: map.width, y0: map.height, x1: 0, y1: 0, heat: Float(0), count: cells.count)
            for index in cells {
                let (x, y) = (index % map.width, index / map.width)
                region.x0 = min(region.x0, x)
                region.x1 = max(region.x1, x + 1)
                region.y0 = min(region.y0, y)
                region.y1 = max(region.y1, y + 1)
                region.heat += map.values[index]
            }
            return region
        }
        let least = map.values.count / 200
        let ranked = regions.filter { $0.count >= least }.sorted { ($0.heat, $1.y0, $1.x0) > ($1.heat, $0.y0, $0.x0) }
        return ranked.prefix(limit).map { region in
            let (w, h) = (Double(map.width), Double(map.height))
            let box = NormalizedRect(
                x: Double(region.x0) / w, y: 1 - Double(region.y1) / h, width: Double(region.x1 - region.x0) / w,
                height: Double(region.y1 - region.y0) / h)
            return SalientObject(boundingBox: box, confidence: region.heat / Float(region.count))
        }
    }

    /// Returns Otsu's threshold, which maximizes the variance between the two classes.
    private static func cut(_ map: FloatPlane) -> Float {
        var histogram = [Float](repeating: 0, count: 64)
        for value in map.values { histogram[max(0, min(63, Int(value * 63)))] += 1 }
        let total = Float(map.values.count)
        let sum = histogram.enumerated().reduce(Float(0)) { $0 + Float($1.offset) * $1.element }
        var (below, belowSum, best, threshold): (Float, Float, Float, Int) = (0, 0, -1, 32)
        for level in 0..<63 {
            below += histogram[level]
            belowSum += Float(level) * histogram[level]
            guard below > 0, total - below > 0 else { continue }
            let apart = belowSum / below - (sum - belowSum) / (total - below)
            let score = below * (total - below) * apart * apart
            if score > best { (best, threshold) = (score, level + 1) }
        }
        return Float(threshold) / 63
    }
}
