internal import CommandLineCore
internal import MediaIO
internal import Pipeline

/// The object printed by `vfx info --json`. The keys listed here are stable and always present, null if unknown;
/// consumers must ignore keys they do not know.
///
/// | object | keys |
/// |---|---|
/// | top | `type` ("info"), `input`, `container`, `duration`, `start_time`, `bit_rate`, `plays` (of an animated image; 0 for endlessly), `video_stream` (index of the analyzed stream), `streams`, `chapters`, `tags`, `part` (`start`, `end`, `first_frame`; null for the whole clip), `survey` (null with `--fast` and without video), `notes` (`code`, `loss`, `message`), `damage` (`messages`, `lost_units`), `exit_code` |
/// | stream | `index`, `kind` (video, cover_art, audio, subtitle, attachment, data), `codec`, `profile`, `language`, `title`, `dispositions`, `bit_rate`, `time_base`, `start_time`, `duration`, `frame_count` (as stated in the header), `tags`, `video`, `audio`, `attachment` (`file_name`, `mime_type`, `size`) |
/// | video | `width`, `height`, `sample_aspect_ratio`, `display_width`, `display_height`, `rotation` (degrees clockwise), `mirrored`, `pixel_format`, `bit_depth`, `subsampling`, `average_frame_rate`, `nominal_frame_rate`, `field_order` (progressive, top_first, bottom_first), `color` (`matrix`, `primaries`, `transfer`: names; `range`; `chroma_location`), `hdr`, `spherical` (`projection`; `yaw`, `pitch`, `roll` in degrees), `stereo` (how two views share a frame) |
/// | hdr | `kind` (standard, pq, hdr10, hlg), `dolby_vision_profile`, `dolby_vision_compatibility`, `hdr10_plus`, `mastering_display` (`red`, `green`, `blue`, `white_point`: `x`, `y`; `min_luminance`, `max_luminance` in cd/m²), `content_light` (`max`, `frame_average` in cd/m²) |
/// | audio | `channels`, `layout`, `sample_rate`, `sample_format` |
/// | chapter | `start`, `end`, `title`, `tags` |
/// | survey | `frames`, `interlaced_frames`, `timing`, `cuts`, `duplicates`, `flashes` |
/// | timing | `mode` (constant, variable, single), `frame_rate` (of the best-fitting grid), `average_frame_rate`, `first_time`, `last_time`, `end_time`, `min_frame_duration`, `median_frame_duration`, `max_frame_duration`, `off_grid_frames`, `missing_frames` |
/// | cuts, duplicates, flashes | `count`, `at`: the first 10000 as `frame` (from 0), `time` |
///
/// Times are `{"value", "timescale"}`, rates and ratios `{"numerator", "denominator"}`, both exact; `bit_rate` is bits per second.
enum InfoJSON {
    /// Prints the object; returns false if it cannot be written.
    static func print(_ result: InfoResult) -> Bool {
        let info = result.info
        return JSONEvent.print(
            "info",
            [
                ("input", .string(result.input)), ("container", .string(info.container)),
                ("duration", .optional(info.duration)), ("start_time", .optional(info.startTime)),
                ("bit_rate", .optional(info.bitRate)), ("plays", .optional(info.plays)),
                ("video_stream", .optional(info.videoStream)),
                ("streams", .array(info.streams.map(stream))), ("chapters", .array(info.chapters.map(chapter))),
                ("tags", .strings(info.metadata)), ("part", result.part.map(part) ?? .null),
                ("survey", result.analysis.map(analysis) ?? .null),
                ("noise", result.noise.map(noise) ?? .null),
                ("notes", result.notes.json),
                (
                    "damage",
                    .object([
                        ("messages", .array(result.damage.notes.map { .string($0) })),
                        ("lost_units", .int(result.damage.lostUnits)),
                    ])
                ), ("exit_code", .int(Int(result.exitCode.rawValue))),
            ])
    }

    private static func stream(_ stream: MediaStreamInfo) -> JSONValue {
        let attachment = JSONValue.object([
            ("file_name", .optional(stream.metadata["filename"])),
            ("mime_type", .optional(stream.metadata["mimetype"])),
            ("size", .optional(stream.attachmentSize)),
        ])
        return .object([
            ("index", .int(stream.index)),
            ("kind", .string(stream.kind == .coverArt ? "cover_art" : stream.kind.rawValue)),
            ("codec", .string(stream.codec)), ("profile", .optional(stream.profile)),
            ("language", .optional(stream.language)), ("title", .optional(stream.title)),
            ("dispositions", .array(stream.dispositions.map { .string($0) })), ("bit_rate", .optional(stream.bitRate)),
            ("time_base", .optional(stream.timeBase)), ("start_time", .optional(stream.startTime)),
            ("duration", .optional(stream.duration)), ("frame_count", .optional(stream.frameCount)),
            ("tags", .strings(stream.metadata)), ("video", stream.video.map(video) ?? .null),
            ("audio", stream.audio.map(audio) ?? .null),
            ("attachment", stream.kind == .attachment ? attachment : .null),
        ])
    }

    private static func video(_ video: VideoStreamInfo) -> JSONValue {
        let shown = video.displaySize
        let names = video.color.names
        return .object([
            ("width", .int(video.width)), ("height", .int(video.height)),
            ("sample_aspect_ratio", .optional(video.sampleAspectRatio)), ("display_width", .int(shown.width)),
            ("display_height", .int(shown.height)), ("rotation", .int(video.orientation.rotation)),
            ("mirrored", .bool(video.orientation.isMirrored)), ("pixel_format", .optional(video.pixelFormat)),
            ("bit_depth", .optional(video.bitDepth)), ("subsampling", .optional(video.subsampling)),
            ("average_frame_rate", .optional(video.averageFrameRate)),
            ("nominal_frame_rate", .optional(video.nominalFrameRate)),
            ("field_order", .optional(video.fieldOrder.map { $0.rawValue.camelCaseWords(separatedBy: "_") })),
            (
                "color",
                .object([
                    ("matrix", .string(names.matrix)), ("primaries", .string(names.primaries)),
                    ("transfer", .string(names.transfer)), ("range", .string(video.color.range.rawValue)),
                    ("chroma_location", .string(video.color.chromaLocation.rawValue.camelCaseWords(separatedBy: "_"))),
                ])
            ), ("hdr", hdr(video.dynamicRange)), ("spherical", video.spherical.map(spherical) ?? .null),
            ("stereo", .optional(video.stereo)),
        ])
    }

    private static func spherical(_ sphere: SphericalInfo) -> JSONValue {
        .object([
            ("projection", .string(sphere.projection)), ("yaw", .fine(sphere.yaw)), ("pitch", .fine(sphere.pitch)),
            ("roll", .fine(sphere.roll)),
        ])
    }

    private static func hdr(_ facts: DynamicRangeInfo) -> JSONValue {
        func point(_ point: DynamicRangeInfo.MasteringDisplay.Point) -> JSONValue {
            .object([("x", .fine(point.x)), ("y", .fine(point.y))])
        }
        let mastering = facts.masteringDisplay.map { display in
            JSONValue.object([
                ("red", point(display.red)), ("green", point(display.green)), ("blue", point(display.blue)),
                ("white_point", point(display.whitePoint)),
                ("min_luminance", display.minimumLuminance.map { .fine($0) } ?? .null),
                ("max_luminance", display.maximumLuminance.map { .fine($0) } ?? .null),
            ])
        }
        let light = facts.contentLight.map {
            JSONValue.object([("max", .int($0.maximum)), ("frame_average", .int($0.frameAverage))])
        }
        return .object([
            ("kind", .string(facts.kind.rawValue)), ("dolby_vision_profile", .optional(facts.dolbyVisionProfile)),
            ("dolby_vision_compatibility", .optional(facts.dolbyVision?.compatibility)),
            ("hdr10_plus", .bool(facts.hasHDR10Plus)), ("mastering_display", mastering ?? .null),
            ("content_light", light ?? .null),
        ])
    }

    private static func audio(_ audio: AudioStreamInfo) -> JSONValue {
        .object([
            ("channels", .int(audio.channels)), ("layout", .string(audio.layout)),
            ("sample_rate", .int(audio.sampleRate)), ("sample_format", .optional(audio.sampleFormat)),
        ])
    }

    private static func chapter(_ chapter: MediaChapter) -> JSONValue {
        .object([
            ("start", .time(chapter.start)), ("end", .time(chapter.end)), ("title", .optional(chapter.title)),
            ("tags", .strings(chapter.metadata)),
        ])
    }

    /// Standard deviations in 8-bit code values: of each plane, and of luma for ranges of brightness of equal width.
    private static func noise(_ survey: NoiseSurvey.Result) -> JSONValue {
        .object([
            ("frames", .int(survey.frameCount)), ("sigma", .array(survey.noise.planes.map { .double($0) })),
            ("sigma_by_brightness", .array(survey.noise.byBrightness.map { .double($0) })),
        ])
    }

    private static func part(_ part: LocatedPart) -> JSONValue {
        .object([
            ("start", .time(part.start)), ("end", .optional(part.end)), ("first_frame", .optional(part.firstFrame)),
        ])
    }

    private static func analysis(_ analysis: ClipAnalysis) -> JSONValue {
        func finding(_ finding: ClipAnalysis.Occurrences) -> JSONValue {
            .object([
                ("count", .int(finding.count)),
                (
                    "at",
                    .array(finding.places.map { .object([("frame", .int($0.frame)), ("time", .time($0.time))]) })
                ),
            ])
        }
        let timing = analysis.timing
        return .object([
            ("frames", .int(analysis.frameCount)), ("interlaced_frames", .int(analysis.interlacedFrames)),
            (
                "timing",
                .object([
                    ("mode", .string(timing.mode.rawValue)), ("frame_rate", .optional(timing.rate)),
                    ("average_frame_rate", .optional(timing.averageRate)), ("first_time", .optional(timing.firstTime)),
                    ("last_time", .optional(timing.lastTime)), ("end_time", .optional(timing.endTime)),
                    ("min_frame_duration", .optional(timing.minimumStep)),
                    ("median_frame_duration", .optional(timing.medianStep)),
                    ("max_frame_duration", .optional(timing.maximumStep)),
                    ("off_grid_frames", .int(timing.offGridFrames)), ("missing_frames", .int(timing.missingFrames)),
                ])
            ), ("cuts", finding(analysis.cuts)), ("duplicates", finding(analysis.duplicates)),
            ("flashes", finding(analysis.flashes)),
        ])
    }
}
