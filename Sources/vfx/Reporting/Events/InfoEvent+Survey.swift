internal import CommandLineCore
internal import FrameCore
internal import Imaging
internal import MediaIO
internal import Pipeline

extension InfoEvent {
    /// What decoding all frames has found.
    struct Survey: Encodable {
        /// The number of frames.
        let frames: Int
        /// The number of frames that are coded as interlaced.
        let interlacedFrames: Int
        /// What the pictures show of their fields; null if there are none.
        let fields: Fields?
        /// The number of new pictures per second, if they are regular and fewer than frames; null otherwise.
        let picturesPerSecond: Rational?
        /// The timing of the frames.
        let timing: Timing
        /// The first frames after cuts.
        let cuts: Occurrences
        /// The frames that repeat the one before.
        let duplicates: Occurrences
        /// The frames at which a flash begins.
        let flashes: Occurrences

        init(_ analysis: ClipAnalysis, _ fields: FieldStructure?, picturesPerSecond: Rational?) {
            self.picturesPerSecond = picturesPerSecond
            frames = analysis.frameCount
            interlacedFrames = analysis.interlacedFrames
            self.fields = fields.map(Fields.init)
            timing = Timing(analysis.timing)
            cuts = Occurrences(analysis.cuts)
            duplicates = Occurrences(analysis.duplicates)
            flashes = Occurrences(analysis.flashes)
        }
    }

    /// How the frames of a clip consist of fields.
    struct Fields: Encodable {
        /// `progressive`, `interlaced`, `telecined`, `mixed`, or `undecided` if too little moves.
        let kind: String
        /// `top_first` or `bottom_first`; null if the frames are not interlaced.
        let order: String?
        /// `3:2`, `2:3:3:2` or `2:2` if the frames, or some of them, are telecined; null otherwise.
        let cadence: String?
        /// The number of frames whose motion shows how their fields were captured.
        let tellingFrames: Int
        /// The number of frames whose fields were captured at different times.
        let combedFrames: Int

        init(_ fields: FieldStructure) {
            switch fields.kind {
            case .progressive: kind = fields.isDecided ? "progressive" : "undecided"
            case .interlaced: kind = "interlaced"
            case .telecined: kind = "telecined"
            case .mixed: kind = "mixed"
            }
            order = fields.order?.rawValue.camelCaseWords(separatedBy: "_")
            cadence = fields.cadence?.rawValue
            tellingFrames = fields.evidence.tellingFrames
            combedFrames = fields.evidence.combedFrames
        }
    }

    /// The timing of a clip.
    struct Timing: Encodable {
        /// `constant`, `variable`, or `single` for fewer than two frames.
        let mode: String
        /// The rate of the grid that fits best.
        let frameRate: Rational?
        /// The average frame rate.
        let averageFrameRate: Rational?
        /// The time of the first frame.
        let firstTime: MediaTime?
        /// The time of the last frame.
        let lastTime: MediaTime?
        /// The time at which the last frame ends.
        let endTime: MediaTime?
        /// The shortest time between two frames.
        let minFrameDuration: MediaTime?
        /// The median time between two frames.
        let medianFrameDuration: MediaTime?
        /// The longest time between two frames.
        let maxFrameDuration: MediaTime?
        /// The number of frames off the grid.
        let offGridFrames: Int
        /// The number of times on the grid without a frame.
        let missingFrames: Int

        init(_ timing: FrameTiming) {
            mode = timing.mode.rawValue
            frameRate = timing.rate
            averageFrameRate = timing.averageRate
            firstTime = timing.firstTime
            lastTime = timing.lastTime
            endTime = timing.endTime
            minFrameDuration = timing.minimumStep
            medianFrameDuration = timing.medianStep
            maxFrameDuration = timing.maximumStep
            offGridFrames = timing.offGridFrames
            missingFrames = timing.missingFrames
        }
    }

    /// Frames of one kind.
    struct Occurrences: Encodable {
        /// The number of frames.
        let count: Int
        /// The first 10000 of them.
        let at: [Place]

        init(_ finding: ClipAnalysis.Occurrences) {
            count = finding.count
            at = finding.places.map { Place(frame: $0.frame, time: $0.time) }
        }
    }

    /// A frame of a clip.
    struct Place: Encodable {
        /// The number of the frame, counted from 0.
        let frame: Int
        /// The time of the frame.
        let time: MediaTime
    }

    /// The noise of a clip, as standard deviations in 8-bit code values.
    struct Noise: Encodable {
        /// The number of frames measured.
        let frames: Int
        /// The noise of each plane.
        let sigma: [Double]
        /// The noise of luma for ranges of brightness of equal width, from dark to bright.
        let sigmaByBrightness: [Double]

        init(_ survey: NoiseSurvey.Result) {
            frames = survey.frameCount
            sigma = survey.noise.planes
            sigmaByBrightness = survey.noise.byBrightness
        }
    }
}
