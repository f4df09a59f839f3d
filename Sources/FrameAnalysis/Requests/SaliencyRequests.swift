public import FrameCore

/// Finds where eyes go first.
public struct GenerateAttentionBasedSaliencyImageRequest: VideoAnalysisRequest {
    /// Makes the request.
    public init() {}

    /// The heat map, and one box round its hottest region.
    public func observation(of picture: AnalysisPicture) -> SaliencyImageObservation {
        SaliencyImageObservation(picture, map: picture.attention.attention, boxes: 1)
    }
}

/// Finds what stands out from its ground as a thing.
public struct GenerateObjectnessBasedSaliencyImageRequest: VideoAnalysisRequest {
    /// Makes the request.
    public init() {}

    /// The heat map, and up to three boxes.
    public func observation(of picture: AnalysisPicture) -> SaliencyImageObservation {
        SaliencyImageObservation(picture, map: picture.attention.objectness, boxes: 3)
    }
}

/// A heat map of a frame and boxes round its hottest regions.
public struct SaliencyImageObservation: VideoObservation {
    /// One number per cell of a square grid stretched over the picture.
    public struct HeatMap: Sendable {
        /// Cells per row.
        public let width: Int
        /// Rows.
        public let height: Int
        /// 0 (cold) … 1 (the peak), row by row from the top; all 0 for an even picture.
        public let values: [Float]

        /// The hottest cell's middle, in fractions of the picture's sides from its lower left corner.
        public var peak: (x: Double, y: Double) {
            let index = values.indices.max { (values[$0], $1) < (values[$1], $0) } ?? 0
            return (
                (Double(index % width) + 0.5) / Double(width), 1 - (Double(index / width) + 0.5) / Double(height)
            )
        }
    }

    /// A region that stands out.
    public struct SalientObject: Sendable, Hashable {
        /// Where it lies.
        public let boundingBox: NormalizedRect
        /// Its mean heat, 0…1.
        public let confidence: Float
    }

    public let time: MediaTime
    public let duration: MediaTime?
    /// The heat, cell by cell.
    public let heatMap: HeatMap
    /// Regions that stand out, that with the most heat first.
    public let salientObjects: [SalientObject]

    init(_ picture: AnalysisPicture, map: FloatPlane, boxes: Int) {
        time = picture.frame.presentationTime
        duration = picture.frame.duration
        heatMap = HeatMap(width: map.width, height: map.height, values: map.values)
        salientObjects = SalientBoxes.find(map, limit: boxes).map {
            SalientObject(boundingBox: $0.box, confidence: $0.confidence)
        }
    }
}
