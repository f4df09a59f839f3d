import Testing

/// Commands and the lines that they print with `--json`; `#` stands for what depends on the computer.
struct EventLines: CustomTestStringConvertible {
    var name: String
    /// Run one after the other, in one folder.
    var commands: [String]
    var lines: String

    var testDescription: String { name }
}

// One line of text is one line of output.
// swift-format-ignore
extension EventLines {
    static let all: [EventLines] = [
        EventLines(
            name: "slomo",
            commands: [
                "slomo a.y4m -o out.mkv --factor 2 --codec ffv1",
            ],
            lines: #"""
                {"type": "start", "input": "a.y4m", "output": "out.mkv", "container": "matroska", "encoder": "ffv1", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": 19}
                {"type": "cut", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "note", "code": "note", "loss": false, "message": "5 frames repeat the picture before and were left out, so that it moves evenly (--repeats keep keeps them)"}
                {"type": "finished", "frames_read": 10, "frames_written": 19, "source_frames_shown": 5, "held_at_cut": 11, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 5, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 1, "duplicates": 3, "fallbacks": {"both_sides": 144, "one_side": 0, "blended": 0, "repeated": 0}, "latency": null, "findings": {"frames_moved_in_time": 0.000}, "exit_code": 0}
                """#),
        EventLines(
            name: "null",
            commands: [
                "slomo anim.gif -o /dev/null --format null --factor 2",
            ],
            lines: #"""
                {"type": "start", "input": "anim.gif", "output": "/dev/null", "container": "null", "encoder": null, "width": 32, "height": 32, "pixel_format": "gbrp", "expected_frames": 11}
                {"type": "finished", "frames_read": 6, "frames_written": 11, "source_frames_shown": 6, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 0, "duplicates": 0, "fallbacks": {"both_sides": 80, "one_side": 0, "blended": 0, "repeated": 0}, "latency": null, "findings": {"frames_moved_in_time": 0.000}, "exit_code": 0}
                """#),
        EventLines(
            name: "denoise",
            commands: [
                "denoise damaged.y4m -o out.y4m",
            ],
            lines: #"""
                {"type": "start", "input": "damaged.y4m", "output": "out.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": null}
                {"type": "cut", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "damage", "message": "the file ends in the middle of a frame", "lost_units": 0}
                {"type": "finished", "frames_read": 9, "frames_written": 9, "source_frames_shown": 9, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 1, "duplicates": 2, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {"noise_sigma": 0.000, "noise_sigma_u": 0.000, "noise_sigma_v": 0.000, "noise_sigma_at_brightness_32": 0.000, "noise_sigma_at_brightness_96": 0.000, "noise_sigma_at_brightness_160": 0.000, "noise_sigma_at_brightness_224": 0.000}, "exit_code": 3}
                """#),
        EventLines(
            name: "losses",
            commands: [
                "upscale streams.mkv -o out.mp4 --scale 2 --low-latency --codec h264",
            ],
            lines: #"""
                {"type": "start", "input": "streams.mkv", "output": "out.mp4", "container": "mp4", "encoder": "libx264", "width": 128, "height": 96, "pixel_format": "yuv444p", "expected_frames": null}
                {"type": "note", "code": "players", "loss": false, "message": "many players cannot show h264 video in yuv444p; --pixel-format yuv420p makes a file that they can show"}
                {"type": "note", "code": "players", "loss": false, "message": "stream 2 (audio, flac): many players cannot play flac sound in mp4; an output with the extension .mkv plays more widely"}
                {"type": "note", "code": "stream-converted", "loss": false, "message": "stream 3 (subtitle, ass) is converted to mov_text; styling may be lost"}
                {"type": "note", "code": "stream-dropped", "loss": true, "message": "stream 4 (attachment, none) is left out; mp4 does not support attachments"}
                {"type": "finished", "frames_read": 25, "frames_written": 25, "source_frames_shown": 0, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 0, "duplicates": 0, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}, "exit_code": 0}
                """#),
        EventLines(
            name: "enhance",
            commands: [
                "enhance a.y4m -o out.y4m --denoise auto --slomo 0.5 --storyboard board",
            ],
            lines: #"""
                {"type": "start", "input": "a.y4m", "output": "out.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": 19}
                {"type": "cut", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "finished", "frames_read": 10, "frames_written": 19, "source_frames_shown": 10, "held_at_cut": 1, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 1, "duplicates": 3, "fallbacks": {"both_sides": 369, "one_side": 15, "blended": 0, "repeated": 0}, "latency": null, "findings": {}, "effects": [{"effect": "denoise", "frames_in": 10, "frames_out": 10, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {"noise_sigma": 0.000, "noise_sigma_u": 0.000, "noise_sigma_v": 0.000, "noise_sigma_at_brightness_32": 0.000, "noise_sigma_at_brightness_96": 0.000, "noise_sigma_at_brightness_160": 0.000, "noise_sigma_at_brightness_224": 0.000}}, {"effect": "slomo", "frames_in": 10, "frames_out": 19, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}}], "frames_alive": [{"of": "read", "bound": 17, "peak": #, "bytes_per_frame": 4608}, {"of": "denoise", "bound": 9, "peak": #, "bytes_per_frame": 4608}, {"of": "slomo", "bound": 3, "peak": #, "bytes_per_frame": 4608}, {"of": "storyboard", "bound": 5, "peak": null, "bytes_per_frame": 4608}], "exit_code": 0}
                """#),
        EventLines(
            name: "upscaled-still",
            commands: [
                "still a.y4m -o a.png",
                "upscale a.png -o b.png --scale 2",
            ],
            lines: #"""
                {"type": "still", "input": "a.y4m", "output": "a.png", "time": {"value": 0, "timescale": 1}, "actual_time": {"value": 0, "timescale": 25}, "width": 64, "height": 48, "bytes": #, "thumbnail_width": null, "thumbnail_height": null, "notes": [], "exit_code": 0}
                {"type": "note", "code": "converted", "loss": false, "message": "rgb24 frames are converted to full-range yuv444p"}
                {"type": "finished", "frames_read": 1, "frames_written": 1, "source_frames_shown": 0, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 0, "duplicates": 0, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}, "exit_code": 0}
                """#),
        EventLines(
            name: "flow",
            commands: [
                "flow a.y4m -o flow.y4m",
                "flow a.y4m -o flow.flo --at 1f",
                "flow damaged.y4m -o flow.png --at 0",
            ],
            lines: #"""
                {"type": "start", "input": "a.y4m", "output": "flow.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv444p", "expected_frames": null}
                {"type": "cut", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "note", "code": "color-tags-dropped", "loss": true, "message": "rawvideo in yuv4mpegpipe cannot store these color tags: matrix bt709 (players may assume smpte170m)"}
                {"type": "finished", "frames_read": 10, "frames_written": 10, "pairs": 8, "pairs_across_cuts": 1, "median_ms": #, "p95_ms": #, "max_motion": 5.000, "longest_motion": null, "time": null, "next_time": null, "seconds": #, "peak_memory_kib": #, "cuts": 1, "exit_code": 0}
                {"type": "finished", "frames_read": 3, "frames_written": 1, "pairs": 1, "pairs_across_cuts": 0, "median_ms": #, "p95_ms": #, "max_motion": null, "longest_motion": 3.034, "time": {"value": 1, "timescale": 25}, "next_time": {"value": 2, "timescale": 25}, "seconds": #, "peak_memory_kib": #, "cuts": 0, "exit_code": 0}
                {"type": "note", "code": "pixels-converted", "loss": false, "message": "frames are converted to rgb24"}
                {"type": "finished", "frames_read": 2, "frames_written": 1, "pairs": 1, "pairs_across_cuts": 0, "median_ms": #, "p95_ms": #, "max_motion": 5.000, "longest_motion": 3.688, "time": {"value": 0, "timescale": 25}, "next_time": {"value": 1, "timescale": 25}, "seconds": #, "peak_memory_kib": #, "cuts": 0, "exit_code": 0}
                """#),
        EventLines(
            name: "info",
            commands: [
                "info streams.mkv",
                "info dog.mp4 --noise",
                "info ten.mkv --fast",
                "info anim.gif",
                "info b.y4m --from 2f --to 6f",
                "info damaged.y4m",
            ],
            lines: #"""
                {"type": "info", "input": "streams.mkv", "container": "matroska,webm", "duration": {"value": 1064000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 103488, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "h264", "profile": "High 4:4:4 Predictive", "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 1000}, "start_time": {"value": 64, "timescale": 1000}, "duration": null, "frame_count": null, "tags": {"DURATION": "00:00:01.064000000", "ENCODER": "Lavc libx264"}, "video": {"width": 64, "height": 48, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 64, "display_height": 48, "rotation": 0, "mirrored": false, "pixel_format": "yuv444p", "bit_depth": 8, "subsampling": "4:4:4", "average_frame_rate": {"numerator": 25, "denominator": 1}, "nominal_frame_rate": {"numerator": 25, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "limited", "chroma_location": "left"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}, {"index": 1, "kind": "audio", "codec": "aac", "profile": "LC", "language": "eng", "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 1000}, "start_time": {"value": 0, "timescale": 1000}, "duration": null, "frame_count": null, "tags": {"DURATION": "00:00:01.064000000", "ENCODER": "Lavc aac", "language": "eng"}, "video": null, "audio": {"channels": 1, "layout": "mono", "sample_rate": 16000, "sample_format": "fltp"}, "attachment": null}, {"index": 2, "kind": "audio", "codec": "flac", "profile": null, "language": "deu", "title": "Second", "dispositions": ["forced"], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 1000}, "start_time": {"value": 64, "timescale": 1000}, "duration": null, "frame_count": null, "tags": {"DURATION": "00:00:01.064000000", "ENCODER": "Lavc flac", "language": "deu", "title": "Second"}, "video": null, "audio": {"channels": 1, "layout": "mono", "sample_rate": 16000, "sample_format": "s16"}, "attachment": null}, {"index": 3, "kind": "subtitle", "codec": "ass", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 1000}, "start_time": {"value": 264, "timescale": 1000}, "duration": null, "frame_count": null, "tags": {"DURATION": "00:00:00.964000000", "ENCODER": "Lavc ass"}, "video": null, "audio": null, "attachment": null}, {"index": 4, "kind": "attachment", "codec": "none", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 90000}, "start_time": {"value": 0, "timescale": 90000}, "duration": {"value": 95760, "timescale": 90000}, "frame_count": null, "tags": {"filename": "note.ttf", "mimetype": "font/ttf"}, "video": null, "audio": null, "attachment": {"file_name": "note.ttf", "mime_type": "font/ttf", "size": 18}}, {"index": 5, "kind": "cover_art", "codec": "png", "profile": null, "language": null, "title": null, "dispositions": ["attached_pic"], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 90000}, "start_time": {"value": 0, "timescale": 90000}, "duration": {"value": 95760, "timescale": 90000}, "frame_count": null, "tags": {"filename": "cover.png", "mimetype": "image/png"}, "video": {"width": 16, "height": 16, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 16, "display_height": 16, "rotation": 0, "mirrored": false, "pixel_format": "rgb24", "bit_depth": 8, "subsampling": "rgb", "average_frame_rate": null, "nominal_frame_rate": null, "field_order": null, "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "full", "chroma_location": "unspecified"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [{"start": {"value": -64000000, "timescale": 1000000000}, "end": {"value": 336000000, "timescale": 1000000000}, "title": "One", "tags": {"title": "One"}}, {"start": {"value": 336000000, "timescale": 1000000000}, "end": {"value": 936000000, "timescale": 1000000000}, "title": "Two", "tags": {"title": "Two"}}], "tags": {"encoder": "Lavf", "title": "Passengers"}, "part": null, "survey": {"frames": 25, "interlaced_frames": 0, "fields": {"kind": "undecided", "order": null, "cadence": null, "telling_frames": 0, "combed_frames": 0}, "pictures_per_second": null, "timing": {"mode": "constant", "frame_rate": {"numerator": 25, "denominator": 1}, "average_frame_rate": {"numerator": 25, "denominator": 1}, "first_time": {"value": 0, "timescale": 1}, "last_time": {"value": 24, "timescale": 25}, "end_time": {"value": 1000, "timescale": 1000}, "min_frame_duration": {"value": 1, "timescale": 25}, "median_frame_duration": {"value": 1, "timescale": 25}, "max_frame_duration": {"value": 1, "timescale": 25}, "off_grid_frames": 0, "missing_frames": 0}, "cuts": {"count": 0, "at": []}, "duplicates": {"count": 0, "at": []}, "flashes": {"count": 0, "at": []}}, "noise": null, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "info", "input": "dog.mp4", "container": "mov,mp4,m4a,3gp,3g2,mj2", "duration": {"value": 3227000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 569556, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "h264", "profile": "Main", "language": null, "title": null, "dispositions": ["default"], "bit_rate": 505862, "time_base": {"numerator": 1, "denominator": 15360}, "start_time": {"value": 0, "timescale": 15360}, "duration": {"value": 49152, "timescale": 15360}, "frame_count": 96, "tags": {"handler_name": "Core Media Video", "language": "und", "vendor_id": "[0][0][0][0]"}, "video": {"width": 848, "height": 464, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 848, "display_height": 464, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p", "bit_depth": 8, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 30, "denominator": 1}, "nominal_frame_rate": {"numerator": 30, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "bt709", "primaries": "unspecified", "transfer": "unspecified", "range": "limited", "chroma_location": "left"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}, {"index": 1, "kind": "audio", "codec": "aac", "profile": "LC", "language": null, "title": null, "dispositions": ["default"], "bit_rate": 55834, "time_base": {"numerator": 1, "denominator": 44100}, "start_time": {"value": 0, "timescale": 44100}, "duration": {"value": 141252, "timescale": 44100}, "frame_count": 139, "tags": {"handler_name": "Core Media Audio", "language": "und", "vendor_id": "[0][0][0][0]"}, "video": null, "audio": {"channels": 2, "layout": "stereo", "sample_rate": 44100, "sample_format": "fltp"}, "attachment": null}], "chapters": [], "tags": {"compatible_brands": "isomiso2avc1mp41", "encoder": "Lavf58.29.100", "major_brand": "isom", "minor_version": "512"}, "part": null, "survey": {"frames": 96, "interlaced_frames": 0, "fields": {"kind": "progressive", "order": null, "cadence": null, "telling_frames": 95, "combed_frames": 0}, "pictures_per_second": null, "timing": {"mode": "constant", "frame_rate": {"numerator": 30, "denominator": 1}, "average_frame_rate": {"numerator": 30, "denominator": 1}, "first_time": {"value": 0, "timescale": 1}, "last_time": {"value": 19, "timescale": 6}, "end_time": {"value": 49152, "timescale": 15360}, "min_frame_duration": {"value": 1, "timescale": 30}, "median_frame_duration": {"value": 1, "timescale": 30}, "max_frame_duration": {"value": 1, "timescale": 30}, "off_grid_frames": 0, "missing_frames": 0}, "cuts": {"count": 0, "at": []}, "duplicates": {"count": 0, "at": []}, "flashes": {"count": 0, "at": []}}, "noise": {"frames": 8, "sigma": [0.000, 0.000, 0.000], "sigma_by_brightness": [0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000]}, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "info", "input": "ten.mkv", "container": "matroska,webm", "duration": {"value": 600000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 20973, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "hevc", "profile": "Main 10", "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 1000}, "start_time": {"value": 0, "timescale": 1000}, "duration": null, "frame_count": null, "tags": {"DURATION": "00:00:00.600000000", "ENCODER": "Lavc59.37.100 libx265"}, "video": {"width": 32, "height": 32, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 32, "display_height": 32, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p10le", "bit_depth": 10, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 10, "denominator": 1}, "nominal_frame_rate": {"numerator": 10, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "limited", "chroma_location": "left"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {"ENCODER": "Lavf59.27.100"}, "part": null, "survey": null, "noise": null, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "info", "input": "anim.gif", "container": "gif", "duration": {"value": 600000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 32040, "plays": 0, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "gif", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 100}, "start_time": {"value": 0, "timescale": 100}, "duration": {"value": 60, "timescale": 100}, "frame_count": 6, "tags": {}, "video": {"width": 32, "height": 32, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 32, "display_height": 32, "rotation": 0, "mirrored": false, "pixel_format": "bgra", "bit_depth": 8, "subsampling": "rgb", "average_frame_rate": {"numerator": 10, "denominator": 1}, "nominal_frame_rate": {"numerator": 10, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "unspecified", "chroma_location": "unspecified"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {}, "part": null, "survey": {"frames": 6, "interlaced_frames": 0, "fields": {"kind": "progressive", "order": null, "cadence": null, "telling_frames": 3, "combed_frames": 0}, "pictures_per_second": null, "timing": {"mode": "constant", "frame_rate": {"numerator": 10, "denominator": 1}, "average_frame_rate": {"numerator": 10, "denominator": 1}, "first_time": {"value": 0, "timescale": 1}, "last_time": {"value": 1, "timescale": 2}, "end_time": {"value": 60, "timescale": 100}, "min_frame_duration": {"value": 1, "timescale": 10}, "median_frame_duration": {"value": 1, "timescale": 10}, "max_frame_duration": {"value": 1, "timescale": 10}, "off_grid_frames": 0, "missing_frames": 0}, "cuts": {"count": 0, "at": []}, "duplicates": {"count": 0, "at": []}, "flashes": {"count": 0, "at": []}}, "noise": null, "notes": [{"code": "converted", "loss": false, "message": "bgra frames are converted to full-range yuv444p"}], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "info", "input": "b.y4m", "container": "yuv4mpegpipe", "duration": {"value": 400000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 923620, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "rawvideo", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 25}, "start_time": {"value": 0, "timescale": 25}, "duration": {"value": 10, "timescale": 25}, "frame_count": null, "tags": {}, "video": {"width": 64, "height": 48, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 64, "display_height": 48, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p", "bit_depth": 8, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 25, "denominator": 1}, "nominal_frame_rate": {"numerator": 25, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "unspecified", "chroma_location": "center"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {}, "part": {"start": {"value": 2, "timescale": 25}, "end": {"value": 6, "timescale": 25}, "first_frame": 2}, "survey": {"frames": 4, "interlaced_frames": 0, "fields": {"kind": "progressive", "order": null, "cadence": null, "telling_frames": 3, "combed_frames": 0}, "pictures_per_second": null, "timing": {"mode": "constant", "frame_rate": {"numerator": 25, "denominator": 1}, "average_frame_rate": {"numerator": 25, "denominator": 1}, "first_time": {"value": 2, "timescale": 25}, "last_time": {"value": 1, "timescale": 5}, "end_time": {"value": 6, "timescale": 25}, "min_frame_duration": {"value": 1, "timescale": 25}, "median_frame_duration": {"value": 1, "timescale": 25}, "max_frame_duration": {"value": 1, "timescale": 25}, "off_grid_frames": 0, "missing_frames": 0}, "cuts": {"count": 0, "at": []}, "duplicates": {"count": 0, "at": []}, "flashes": {"count": 0, "at": []}}, "noise": null, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "info", "input": "damaged.y4m", "container": "yuv4mpegpipe", "duration": {"value": 360000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 981800, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "rawvideo", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 25}, "start_time": {"value": 0, "timescale": 25}, "duration": {"value": 9, "timescale": 25}, "frame_count": null, "tags": {}, "video": {"width": 64, "height": 48, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 64, "display_height": 48, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p", "bit_depth": 8, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 25, "denominator": 1}, "nominal_frame_rate": {"numerator": 25, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "unspecified", "chroma_location": "center"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {}, "part": null, "survey": {"frames": 9, "interlaced_frames": 0, "fields": {"kind": "progressive", "order": null, "cadence": null, "telling_frames": 5, "combed_frames": 0}, "pictures_per_second": null, "timing": {"mode": "constant", "frame_rate": {"numerator": 25, "denominator": 1}, "average_frame_rate": {"numerator": 25, "denominator": 1}, "first_time": {"value": 0, "timescale": 1}, "last_time": {"value": 8, "timescale": 25}, "end_time": {"value": 9, "timescale": 25}, "min_frame_duration": {"value": 1, "timescale": 25}, "median_frame_duration": {"value": 1, "timescale": 25}, "max_frame_duration": {"value": 1, "timescale": 25}, "off_grid_frames": 0, "missing_frames": 0}, "cuts": {"count": 1, "at": [{"frame": 6, "time": {"value": 6, "timescale": 25}}]}, "duplicates": {"count": 2, "at": [{"frame": 7, "time": {"value": 7, "timescale": 25}}, {"frame": 8, "time": {"value": 8, "timescale": 25}}]}, "flashes": {"count": 0, "at": []}}, "noise": null, "notes": [], "damage": {"messages": ["the file ends in the middle of a frame"], "lost_units": 0}, "exit_code": 3}
                """#),
        EventLines(
            name: "still",
            commands: [
                "still a.y4m -o a.jpg --at 0.1 --embed-thumbnail 32x32",
                "still streams.mkv -o b.png",
            ],
            lines: #"""
                {"type": "still", "input": "a.y4m", "output": "a.jpg", "time": {"value": 1, "timescale": 10}, "actual_time": {"value": 2, "timescale": 25}, "width": 64, "height": 48, "bytes": #, "thumbnail_width": 32, "thumbnail_height": 24, "notes": [], "exit_code": 0}
                {"type": "still", "input": "streams.mkv", "output": "b.png", "time": {"value": 0, "timescale": 1}, "actual_time": {"value": 0, "timescale": 1000}, "width": 64, "height": 48, "bytes": #, "thumbnail_width": null, "thumbnail_height": null, "notes": [], "exit_code": 0}
                """#),
        EventLines(
            name: "storyboard",
            commands: [
                "storyboard a.y4m -o board --interval 0.1 --width 32",
                "storyboard --lookup board/storyboard.vtt --at 0.2 -o tile.png",
            ],
            lines: #"""
                {"type": "storyboard", "input": "a.y4m", "output": "board", "tiles": 4, "sheets": 1, "columns": 4, "rows": 1, "tile_width": 32, "tile_height": 24, "interval_ms": 100, "duration_ms": 400, "seconds": #, "notes": [], "exit_code": 0}
                {"type": "thumbnail", "track": "board/storyboard.vtt", "output": "tile.png", "time": {"value": 1, "timescale": 5}, "start": {"value": 200, "timescale": 1000}, "end": {"value": 300, "timescale": 1000}, "image": "storyboard-1.jpg", "width": 32, "height": 24, "exit_code": 0}
                """#),
        EventLines(
            name: "compare",
            commands: [
                "compare a.y4m b.y4m -o page.html",
                "compare a.y4m a.y4m",
                "compare a.y4m damaged.y4m",
            ],
            lines: #"""
                {"type": "comparison", "before": "a.y4m", "after": "b.y4m", "output": "page.html", "pairs": 10, "equal": 1, "only_before": 0, "only_after": 0, "stretch": 1, "psnr": [13.672, 14.272, 14.247], "ssim": 0.549019, "lowest_ssim": 0.007094, "notes": [], "exit_code": 0}
                {"type": "comparison", "before": "a.y4m", "after": "a.y4m", "output": null, "pairs": 10, "equal": 10, "only_before": 0, "only_after": 0, "stretch": 1, "psnr": [null, null, null], "ssim": 1.000000, "lowest_ssim": 1.000000, "notes": [], "exit_code": 0}
                {"type": "damage", "input": "damaged.y4m", "message": "the file ends in the middle of a frame", "lost_units": 0}
                {"type": "comparison", "before": "a.y4m", "after": "damaged.y4m", "output": null, "pairs": 9, "equal": 9, "only_before": 1, "only_after": 0, "stretch": 1, "psnr": [null, null, null], "ssim": 1.000000, "lowest_ssim": 1.000000, "notes": [], "exit_code": 3}
                """#),
        EventLines(
            name: "thumbnails",
            commands: [
                "thumbnails dog.mp4 -o best --count 2",
                "thumbnails damaged.y4m -o worst --count 1",
            ],
            lines: #"""
                {"type": "note", "code": "note", "loss": false, "message": "1 of 2 frames picked: the others show the same or are far poorer"}
                {"type": "pick", "file": "1.jpg", "time": {"value": 3072, "timescale": 15360}, "score": #, "rank": #}
                {"type": "finished", "picks": 1, "looked_at": 76, "seconds": #, "exit_code": 0}
                {"type": "note", "code": "note", "loss": false, "message": "pick 1 at 0.240000 s is poor (score -0.16; weakest: no motion blur), but no other frame is better"}
                {"type": "damage", "message": "the file ends in the middle of a frame", "lost_units": 0}
                {"type": "pick", "file": "1.jpg", "time": {"value": 6, "timescale": 25}, "score": #, "rank": #}
                {"type": "finished", "picks": 1, "looked_at": 3, "seconds": #, "exit_code": 3}
                """#),
        EventLines(
            name: "estimate",
            commands: [
                "denoise long.mkv -o out.mkv --estimate --codec ffv1",
                "denoise b.y4m -o /dev/null --format null --estimate",
            ],
            lines: #"""
                {"type": "estimate", "input": "long.mkv", "output": "out.mkv", "frames": 630, "bytes": #, "seconds": #, "peak_memory_kib": #, "sampled_frames": #, "exit_code": 0}
                {"type": "estimate", "input": "b.y4m", "output": "/dev/null", "frames": 10, "bytes": null, "seconds": #, "peak_memory_kib": #, "sampled_frames": #, "exit_code": 0}
                """#),
        EventLines(
            name: "divided",
            commands: [
                "blur long.mkv -o out.mkv --codec ffv1 --plan job",
                "status job",
                "work job --segment 1",
                "status job",
                "work job --segment 1",
                "work job --segment 0",
                "work job --segment 2",
                "join job",
                "join job",
                "status job",
            ],
            lines: #"""
                {"type": "plan", "folder": "job", "segments": 3, "frames": 630, "decoded": false, "threads": #, "segments_without_seeking": 0}
                {"type": "status", "segments": 3, "done": 0, "running": 0, "failed": [], "frames": 0, "fps": #, "eta_seconds": #, "joined": false, "slurm": {}}
                {"type": "segment", "segment": 1, "frames": 240, "bytes": #, "first_frame_read": 176, "bytes_read": #}
                {"type": "finished", "segments_made": 1, "segments_reused": 0, "bytes_read": #, "exit_code": 0}
                {"type": "status", "segments": 3, "done": 1, "running": 0, "failed": [], "frames": 240, "fps": #, "eta_seconds": #, "joined": false, "slurm": {}}
                {"type": "finished", "segments_made": 0, "segments_reused": 1, "bytes_read": #, "exit_code": 0}
                {"type": "segment", "segment": 0, "frames": 240, "bytes": #, "first_frame_read": 0, "bytes_read": #}
                {"type": "finished", "segments_made": 1, "segments_reused": 0, "bytes_read": #, "exit_code": 0}
                {"type": "segment", "segment": 2, "frames": 150, "bytes": #, "first_frame_read": 416, "bytes_read": #}
                {"type": "finished", "segments_made": 1, "segments_reused": 0, "bytes_read": #, "exit_code": 0}
                {"type": "finished", "output": "out.mkv", "segments": 3, "frames_written": 630, "exit_code": 0}
                {"type": "finished", "frames_written": 0, "exit_code": 0}
                {"type": "status", "segments": 3, "done": 3, "running": 0, "failed": [], "frames": 630, "fps": #, "eta_seconds": #, "joined": true, "slurm": {}}
                """#),
        EventLines(
            name: "error",
            commands: [
                "slomo no.mkv -o out.mkv",
                "slomo a.y4m --nonsense",
            ],
            lines: #"""
                {"type": "error", "message": "no.mkv: there is no such file", "exit_code": 66}
                {"type": "error", "message": "missing expected argument '--output <file>'", "exit_code": 64}
                """#),
        EventLines(
            name: "batch",
            commands: [
                "info a.y4m no.y4m b.y4m --fast",
                "blur a.y4m no.y4m damaged.y4m -o out",
                "blur a.y4m b.y4m -o out --resume",
                "storyboard a.y4m b.y4m -o boards --interval 0.2",
                "thumbnails a.y4m b.y4m -o best --count 1",
            ],
            lines: #"""
                {"type": "info", "file": "a.y4m", "input": "a.y4m", "container": "yuv4mpegpipe", "duration": {"value": 400000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 923620, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "rawvideo", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 25}, "start_time": {"value": 0, "timescale": 25}, "duration": {"value": 10, "timescale": 25}, "frame_count": null, "tags": {}, "video": {"width": 64, "height": 48, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 64, "display_height": 48, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p", "bit_depth": 8, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 25, "denominator": 1}, "nominal_frame_rate": {"numerator": 25, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "unspecified", "chroma_location": "center"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {}, "part": null, "survey": null, "noise": null, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "error", "file": "no.y4m", "message": "no.y4m: there is no such file", "exit_code": 66}
                {"type": "info", "file": "b.y4m", "input": "b.y4m", "container": "yuv4mpegpipe", "duration": {"value": 400000, "timescale": 1000000}, "start_time": {"value": 0, "timescale": 1000000}, "bit_rate": 923620, "plays": null, "video_stream": 0, "streams": [{"index": 0, "kind": "video", "codec": "rawvideo", "profile": null, "language": null, "title": null, "dispositions": [], "bit_rate": null, "time_base": {"numerator": 1, "denominator": 25}, "start_time": {"value": 0, "timescale": 25}, "duration": {"value": 10, "timescale": 25}, "frame_count": null, "tags": {}, "video": {"width": 64, "height": 48, "sample_aspect_ratio": {"numerator": 1, "denominator": 1}, "display_width": 64, "display_height": 48, "rotation": 0, "mirrored": false, "pixel_format": "yuv420p", "bit_depth": 8, "subsampling": "4:2:0", "average_frame_rate": {"numerator": 25, "denominator": 1}, "nominal_frame_rate": {"numerator": 25, "denominator": 1}, "field_order": "progressive", "color": {"matrix": "unspecified", "primaries": "unspecified", "transfer": "unspecified", "range": "unspecified", "chroma_location": "center"}, "hdr": {"kind": "standard", "dolby_vision_profile": null, "dolby_vision_compatibility": null, "hdr10_plus": false, "mastering_display": null, "content_light": null}, "spherical": null, "stereo": null}, "audio": null, "attachment": null}], "chapters": [], "tags": {}, "part": null, "survey": null, "noise": null, "notes": [], "damage": {"messages": [], "lost_units": 0}, "exit_code": 0}
                {"type": "summary", "files": 3, "done": 2, "damaged": 0, "skipped": 0, "failed": ["no.y4m"], "exit_code": 66}
                {"type": "start", "file": "a.y4m", "input": "a.y4m", "output": "out/a.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": null}
                {"type": "cut", "file": "a.y4m", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "finished", "file": "a.y4m", "frames_read": 10, "frames_written": 10, "source_frames_shown": 4, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 1, "duplicates": 3, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}, "exit_code": 0}
                {"type": "error", "file": "no.y4m", "message": "no.y4m: there is no such file", "exit_code": 66}
                {"type": "start", "file": "damaged.y4m", "input": "damaged.y4m", "output": "out/damaged.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": null}
                {"type": "cut", "file": "damaged.y4m", "frame": 6, "time": {"value": 6, "timescale": 25}}
                {"type": "damage", "file": "damaged.y4m", "message": "the file ends in the middle of a frame", "lost_units": 0}
                {"type": "finished", "file": "damaged.y4m", "frames_read": 9, "frames_written": 9, "source_frames_shown": 3, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 1, "duplicates": 2, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}, "exit_code": 3}
                {"type": "summary", "files": 3, "done": 1, "damaged": 1, "skipped": 0, "failed": ["no.y4m"], "exit_code": 66}
                {"type": "start", "file": "b.y4m", "input": "b.y4m", "output": "out/b.y4m", "container": "yuv4mpegpipe", "encoder": "wrapped_avframe", "width": 64, "height": 48, "pixel_format": "yuv420p", "expected_frames": null}
                {"type": "finished", "file": "b.y4m", "frames_read": 10, "frames_written": 10, "source_frames_shown": 3, "held_at_cut": 0, "blended_over_cut": 0, "long_holds": 0, "repeats_left_out": 0, "seconds": #, "fps": #, "peak_memory_kib": #, "cuts": 0, "duplicates": 0, "fallbacks": {"both_sides": 0, "one_side": 0, "blended": 0, "repeated": 0}, "latency": {"total": {"p50": #, "p95": #, "max": #}, "work": {"p50": #, "p95": #, "max": #}}, "findings": {}, "exit_code": 0}
                {"type": "summary", "files": 2, "done": 1, "damaged": 0, "skipped": 1, "failed": [], "exit_code": 0}
                {"type": "storyboard", "file": "a.y4m", "input": "a.y4m", "output": "boards/a.y4m", "tiles": 2, "sheets": 1, "columns": 2, "rows": 1, "tile_width": 64, "tile_height": 48, "interval_ms": 200, "duration_ms": 400, "seconds": #, "notes": [], "exit_code": 0}
                {"type": "storyboard", "file": "b.y4m", "input": "b.y4m", "output": "boards/b.y4m", "tiles": 2, "sheets": 1, "columns": 2, "rows": 1, "tile_width": 64, "tile_height": 48, "interval_ms": 200, "duration_ms": 400, "seconds": #, "notes": [], "exit_code": 0}
                {"type": "summary", "files": 2, "done": 2, "damaged": 0, "skipped": 0, "failed": [], "exit_code": 0}
                {"type": "note", "file": "a.y4m", "code": "note", "loss": false, "message": "pick 1 at 0.240000 s is poor (score -0.16; weakest: no motion blur), but no other frame is better"}
                {"type": "pick", "file": "a.y4m", "file": "1.jpg", "time": {"value": 6, "timescale": 25}, "score": #, "rank": #}
                {"type": "finished", "file": "a.y4m", "picks": 1, "looked_at": 3, "seconds": #, "exit_code": 0}
                {"type": "note", "file": "b.y4m", "code": "note", "loss": false, "message": "pick 1 at 0.160000 s is poor (score -0.1; weakest: subject sharp), but no other frame is better"}
                {"type": "pick", "file": "b.y4m", "file": "1.jpg", "time": {"value": 4, "timescale": 25}, "score": #, "rank": #}
                {"type": "finished", "file": "b.y4m", "picks": 1, "looked_at": 5, "seconds": #, "exit_code": 0}
                {"type": "summary", "files": 2, "done": 2, "damaged": 0, "skipped": 0, "failed": [], "exit_code": 0}
                """#),
    ]
}
