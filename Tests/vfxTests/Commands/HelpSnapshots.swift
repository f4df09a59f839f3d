/// The complete help texts; any change of the command line shows up here.
enum HelpSnapshots {
    static let vfx = #"""
        OVERVIEW: Video frame effects on the CPU.

        EXAMPLES
          vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
          vfx rate in.mp4 -o out.mp4 --fps 60
          vfx deinterlace in.ts -o out.mkv
          vfx info in.mp4
          vfx flow in.mp4 --at 3.2 -o flow.png
          vfx blur in.mp4 -o out.mp4 --strength 40
          vfx denoise in.mp4 -o out.mp4
          vfx upscale in.mp4 -o out.mp4 --scale 2
          vfx smooth call.mp4 -o call60.mp4 --depth 1
          vfx thumbnails in.mp4 -o best/
          vfx still in.mp4 --at 12.5 -o still.jpg
          vfx storyboard in.mp4 -o board/
          vfx compare before.mp4 after.mp4 -o report.html
          vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5
          vfx denoise in.mp4 -o out.mp4 --plan job/
          vfx submit job/ --engine slurm

        EXIT CODES
          0    done
          3    done, but part of the input was damaged and is missing
          64   the command line is invalid
          65   the input is not a usable video
          66   the input is missing or cannot be opened
          70   an internal error in vfx
          71   out of memory
          73   the output cannot be created or started
          74   writing the output failed (disk full, pipe closed)
          129  stopped by SIGHUP; no unfinished output remains
          130  stopped by SIGINT (Ctrl-C); no unfinished output remains
          143  stopped by SIGTERM; no unfinished output remains

        The environment variable VFX_CPU chooses an instruction set by its name;
        "vfx --version" lists those of this machine. The result is the same.

        USAGE: vfx <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          slomo                   Slow a video down by interpolating frames.
          rate                    Convert a video to another frame rate at the same
                                  speed.
          deinterlace             Make a progressive video from an interlaced one.
          info                    Show the streams, timing, color, cuts and duplicates
                                  of a file.
          flow                    Show, save or measure the motion between frames.
          blur                    Add motion blur, as a longer exposure would.
          denoise                 Reduce the noise of a video using neighbouring frames.
          upscale                 Upscale a video or an image.
          smooth                  Multiply the frame rate of live video without
                                  look-ahead.
          thumbnails              Pick the best frames of a video.
          still                   Save the frame shown at a given time as an image.
          storyboard              Write seek-bar thumbnails in all track formats, or
                                  look one up.
          compare                 Compare a clip with a processed version of it, frame
                                  by frame.
          enhance                 Run several effects in one pass, and make thumbnails
                                  of the result.
          run                     Run a job written by --print-job.
          work                    Make segments of a divided job.
          join                    Join the segments of a divided job.
          status                  Show the progress of a divided job.
          submit                  Submit a divided job to a scheduler.

          See 'vfx help <subcommand>' for detailed help.
        """#

    static let slomo = #"""
        OVERVIEW: Slow a video down by interpolating frames.

        Every source frame is kept unchanged. One new frame per phase is interpolated
        between each two neighbours, and time is stretched by the number of phases
        plus one: N frames become (N-1)*(phases+1)+1. With a fractional
        factor, the clip is sampled evenly: N frames become N*factor, rounded up.
        Frames that repeat the picture before them are replaced by interpolated ones.
        With --speed, speed changes along points of the clip, linearly in the time of
        the output, and audio, subtitles and chapters follow.

        EXAMPLES
        4 times slower:
          vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
        8 times slower, with seven evenly spaced phases:
          vfx slomo in.mov -o out.mkv --factor 8
        A speed ramp: down to a quarter, hold for 1.5 s of the clip, and back:
          vfx slomo in.mp4 -o out.mp4 --speed 0:1,2:0.25,3.5:0.25,4:1 --ease smooth
        Four times as fast, with motion blur, and a freeze of two seconds at the end:
          vfx slomo in.mp4 -o out.mp4 --speed 0:4,9:4,10:0@2 --blur auto
        Through pipes:
          cat in.y4m | vfx slomo - -o - --phases 0.5 --format yuv4mpegpipe | ffplay -
        Measure speed only:
          vfx slomo in.mp4 -o /dev/null --format null --stats

        USAGE: vfx slomo [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --at-cut <at-cut>       What to show across a scene cut: hold the earlier
                                  frame or blend both. Default: hold. (values: hold,
                                  blend)
          --long-holds <long-holds>
                                  How to treat frames that last much longer than their
                                  neighbours, as in screen recordings and slides: hold
                                  them until shortly before the next frame, or
                                  interpolate throughout. Default: hold. (values: hold,
                                  interpolate)
          --repeats <repeats>     Frames that repeat the picture before them: find the
                                  low frame rate inside and the lost frames, and
                                  interpolate between the pictures that differ (auto);
                                  take repeats as frames like any other (keep); or
                                  leave out all of them (drop). Default: auto. (values:
                                  auto, keep, drop)
          --loop                  Lead from the last frame to the first, for clips that
                                  are played in a loop, such as GIF and WebP.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --phases <p,p,...>      Positions of the new frames between two source
                                  frames: ascending numbers between 0 and 1. Default:
                                  0.5.
          --factor <number>       Slow down by this factor, with evenly spaced phases;
                                  a number such as 8, 1.5 or 5/2, above 1 and at most
                                  256.
          --speed <t:s,t:s,...>   Change the speed along points such as
                                  0:1,2:0.25,3.5:0.25,4:1: source time in seconds, and
                                  speed from 1/256 to 100. 2:0@1.5 freezes the picture
                                  for 1.5 s, 2:1..0.5 jumps.
          --ease <ease>           With speed points: how speed changes between two of
                                  them. Default: linear. (values: linear, smooth)
          --fps <rate>            With speed points: the output frame rate, 1 to 1000.
                                  Default: the input's.
          --blur <blur>           With speed points: auto blurs motion where frames are
                                  skipped, as a shutter that is open for their time.
                                  Default: off. (values: off, auto)
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.
          --speed-file <file>     Read the points of --speed from this file: separated
                                  by commas or lines; # begins a comment.
          --print-times           With --speed: do not make the video, but print the
                                  time of the input that each frame shows.
          --audio <audio>         Stretch the audio at constant pitch, or drop it.
                                  (values: stretch, drop; default: stretch)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let rate = #"""
        OVERVIEW: Convert a video to another frame rate at the same speed.

        The source is sampled n/rate seconds after its first frame, regardless of the
        times of its frames. A source frame at exactly that time is kept unchanged;
        all other frames are interpolated. D seconds become D*rate frames, rounded.
        Frames that repeat the picture before them are left out first, so that 24
        pictures/s in 30 frames/s, drawings on twos and lost frames move evenly.

        EXAMPLES
          vfx rate in.mp4 -o out.mp4 --fps 60
          vfx rate in.mkv -o out.mkv --fps 24000/1001
        Exactly 60000/1001:
          vfx rate in.mov -o out.mp4 --fps 59.94
        The pictures themselves, such as 24 of film in 30 or 60 frames/s:
          vfx rate in.mp4 -o out.mp4 --fps source

        USAGE: vfx rate [<options>] <input> ... --output <file> --fps <rate>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --at-cut <at-cut>       What to show across a scene cut: hold the earlier
                                  frame or blend both. Default: hold. (values: hold,
                                  blend)
          --long-holds <long-holds>
                                  How to treat frames that last much longer than their
                                  neighbours, as in screen recordings and slides: hold
                                  them until shortly before the next frame, or
                                  interpolate throughout. Default: hold. (values: hold,
                                  interpolate)
          --repeats <repeats>     Frames that repeat the picture before them: find the
                                  low frame rate inside and the lost frames, and
                                  interpolate between the pictures that differ (auto);
                                  take repeats as frames like any other (keep); or
                                  leave out all of them (drop). Default: auto. (values:
                                  auto, keep, drop)
          --loop                  Lead from the last frame to the first, for clips that
                                  are played in a loop, such as GIF and WebP.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --fps <rate>            Frames per second of the output, 1 to 1000, e.g. 60,
                                  24000/1001 or 23.976; or source, for the rate at
                                  which the pictures of the source change, with none
                                  made and no repeats.
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let deinterlace = #"""
        OVERVIEW: Make a progressive video from an interlaced one.

        Each field of an interlaced frame becomes a frame at the time of the field, so
        25 frames/s become 50; --field-rate frame makes one of each frame. The pictures
        tell what is interlaced, whatever the marks in the file say: progressive frames
        stay as they are, unless --fields tff or bff says that all are interlaced. Film
        whose frames were spread over fields (telecine) comes out frame by frame, at 24
        frames/s. All other commands deinterlace before anything else in the same way.
        Sound, subtitles and all other streams are kept unchanged.

        EXAMPLES
          vfx deinterlace in.ts -o out.mkv
        One frame for each frame:
          vfx deinterlace in.mov -o out.mov --field-rate frame
        Interlaced frames that are not marked as such:
          vfx deinterlace in.avi -o out.mp4 --fields bff
        Four times slower, with the motion of each field:
          vfx slomo in.ts -o out.mkv --factor 4

        USAGE: vfx deinterlace [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let info = #"""
        OVERVIEW: Show the streams, timing, color, cuts and duplicates of a file.

        Reads the headers, then decodes every frame of the video stream that the other
        commands would use, because headers are often wrong. Interlaced frames are
        read as they are. For a file without video, only the streams are listed. With
        a part, the headers are those of the whole file, and the frames are those of
        the part.

        EXAMPLES
          vfx info in.mp4
        Headers and first frame only:
          vfx info in.mp4 --fast
        With the noise, by brightness:
          vfx info in.mp4 --noise
        Machine-readable:
          vfx info in.mp4 --json
        Each video in a folder, one JSON object per line:
          vfx info footage/ --recursive --json

        USAGE: vfx info [<options>] <input> ...

        ARGUMENTS:
          <input>                 Media file, URL, or - for standard input.

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        OPTIONS:
          --recursive             Search input folders and their subfolders for videos.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  raw H.264.
          --fast                  Do not decode the whole clip: no frame count, cuts or
                                  duplicates.
          --noise                 Measure the noise as well.
          --write-noise <file>    Measure the noise and write it to this file, for the
                                  option --noise-model of vfx denoise; - for standard
                                  output.
          --write-cuts <file>     Write the scene cuts to this file, one per line, for
                                  the option --cuts of other commands; - for standard
                                  output.
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --threads <number>      Number of decoder threads. Default: one per core.
          --no-network            Do not read anything from the network.
          --json                  Print one JSON object on standard output.
          --quiet                 Print only the result and errors, no progress.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let flow = #"""
        OVERVIEW: Show, save or measure the motion between frames.

        Estimates the motion of every pixel from each frame to the next and back.
        Colors follow the Middlebury color wheel: the hue is the direction, the
        saturation the length.

        A single pair (two images, or a video with --at) is written as an image, as
        .flo (one direction, readable by other programs) or as .vfxflow (lossless,
        both directions with confidence and occlusion). Existing vector files are
        replaced by new vectors even without --overwrite. A whole clip is written as a
        video or as numbered images.

        EXAMPLES
          vfx flow in.mp4 --at 3.2 -o flow.png
          vfx flow in.mp4 --at 3.2 -o arrows.png --arrows
          vfx flow a.png b.png -o flow.flo
          vfx flow a.png b.png -o hidden.png --occlusion
          vfx flow in.mp4 --at 3.2 -o weights.png --weights --phase 0.5
          vfx flow in.mp4 -o flow.mp4 --overlay
        Measure speed only:
          vfx flow in.y4m -o /dev/null --format null --stats

        USAGE: vfx flow [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --at <time>             Use the frame shown at this time, or with this number
                                  such as 300f, and the next one, even across a cut.
          --arrows, --overlay     Draw arrows over the frame instead of colors.
          --confidence            Draw the confidence of the motion, from black (none)
                                  to white (full).
          --occlusion             Draw areas that are hidden in the other frame, in
                                  white.
          --holes                 Draw areas that no motion vector reaches when a frame
                                  is interpolated at --phase, in white.
          --weights               Draw the share of the next frame in the frame
                                  interpolated at --phase, from black (none) to white
                                  (all).
          --phase <0-1>           Phase between the two frames for --holes and
                                  --weights. Default: 0.5.
          --backward              Use the motion from the next frame back to the first.
          --max-motion <px>       Motion in pixels drawn in full color or as the
                                  longest arrow. Default: fitted to the motion; within
                                  a clip it changes rarely.
          --legend/--no-legend    Draw the color wheel and its scale in a corner.
                                  Default: on.
          --quality <quality>     Trade-off between speed and accuracy. (values:
                                  normal, high; default: normal)
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let blur = #"""
        OVERVIEW: Add motion blur, as a longer exposure would.

        The exposure is centred on each frame. Its length is a shutter angle of
        strength x 3.6 degrees: 50 is the 180 degrees usual in film, and 100 exposes
        for the whole frame interval. Still areas, timestamps, audio and all other
        streams are kept unchanged.

        EXAMPLES
          vfx blur in.mp4 -o out.mp4
        A full 360 degrees, in linear light instead of code values:
          vfx blur in.mov -o out.mkv --strength 100 --linear-light

        USAGE: vfx blur [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --strength <number>     Length of the exposure in units of 3.6 degrees, a
                                  whole number from 1 to 100. (default: 50)
          --linear-light          Accumulate the exposure in linear light.
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let denoise = #"""
        OVERVIEW: Reduce the noise of a video using neighbouring frames.

        Each frame is compared with the frames before and after it along their motion,
        never across a cut. The noise is measured, by brightness, frequency and plane,
        unless --sigma or --noise-model states it. --strength 0.5 leaves half of its
        amplitude. Blocking and ringing of strong compression are reduced as well.
        Timestamps, audio and all other streams are kept unchanged.

        EXAMPLES
          vfx denoise in.mp4 -o out.mp4
        Half as strong, at the best quality however long it takes:
          vfx denoise in.mov -o out.mkv --strength 0.5 --quality high
        Without looking ahead:
          vfx denoise in.mkv -o out.mkv --sigma 12 --future 0
        With the film grain stored for players to add, which makes the file small:
          vfx denoise in.mkv -o out.mkv --codec av1 --grain keep

        USAGE: vfx denoise [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        GRAIN:
          --grain <keep|add=...>  Film grain: keep stores the removed noise as AV1 film
                                  grain, which players add again; add=4 adds grain to
                                  the frames, of a strength from 0 to 32 or from a
                                  grain table.
          --grain-table <file>    Write the removed noise as a grain table for AV1
                                  encoders.

        OPTIONS:
          --strength <number>     Part of the noise to remove, from 0 (no change) to 1
                                  or auto (all of it). Default: auto.
          --sigma <number>        Noise level of white noise, if known: standard
                                  deviation in 8-bit code values, 0 to 255.
          --noise-model <file>    Noise that vfx info --write-noise has measured, in
                                  this clip or in another one of the same camera.
          --deblock <deblock>     Reduce blocking and ringing where the video was
                                  compressed strongly. Default: auto, and off with
                                  --sigma. (values: auto, off)
          --past <number>         Number of earlier frames to use, 0 to 3 (at high
                                  quality 0 to 8). Default: the maximum.
          --future <number>       Number of later frames to use, 0 to 3 (at high
                                  quality 0 to 8). Default: the maximum.
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let upscale = #"""
        OVERVIEW: Upscale a video or an image.

        Luma is enlarged by a trained network, more than once if the factor requires
        it, and then scaled down to the requested size. Chroma is resampled according
        to its siting. Frames of compressed video are cleaned of blocking and ringing
        first, as strongly as the keyframes show. With --quality high or
        --input-type video, each frame takes detail from the frames before and after
        it, never across a cut. Timestamps, audio and all other streams are kept
        unchanged. Single images have a network of their own, which adapts to how an
        image was reduced and compressed, as far as it shows; high averages four
        rotations.

        --scale 1 keeps the size: a network removes blocking and ringing of compressed
        images and video. What shows no compression stays as it is, with a note.

        --size sets the exact size as displayed, after any rotation that the file
        specifies. If it changes the shape, the sample aspect ratio compensates.

        EXAMPLES
          vfx upscale in.mp4 -o out.mp4 --scale 2
          vfx upscale in.mov -o out.mkv --size 1920x1080 --quality high
          vfx upscale photo.jpg -o photo-x4.png --scale 4
          vfx upscale small-file.jpg -o clean.png --scale 1
        For heavily compressed calls and live video:
          vfx upscale call.mp4 -o call-hd.mp4 --scale 2 --low-latency

        USAGE: vfx upscale [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --scale <factor>        Scale factor, 1 to 16, e.g. 2, 1.5 or 4/3. With 1,
                                  only blocking and ringing are reduced.
          --size <WxH>            Size of the output, not smaller than the source, at
                                  most 8192x8192; for single images, 65535 per side.
          --deblock <deblock>     Reduce blocking and ringing where the file was
                                  compressed strongly. Default: auto. (values: auto,
                                  off)
          --low-latency           Process each frame independently as it arrives; also
                                  cleans up compression artifacts.
          --input-type <input-type>
                                  Take detail from neighbouring frames (video) or
                                  process each frame independently (image). Default:
                                  video with --quality high, otherwise image. (values:
                                  video, image)
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let smooth = #"""
        OVERVIEW: Multiply the frame rate of live video without look-ahead.

        When a frame arrives, 2^depth - 1 frames between it and the previous one are
        interpolated, and all of them are written at once. The speed stays the same,
        so N frames become (N-1)*2^depth+1. Cuts are detected from past frames only.
        If latency does not matter, vfx rate gives better results.

        With a pipe or another live input, encoders run without look-ahead and
        B-frames, which makes the file larger, and an output that is not a file is
        flushed after each frame. No frame waits for the next one in vfx, but SVT-AV1
        keeps three of its frames back, and frames may wait in the decoder: for as many
        as the video has reordered, one in H.264 and HEVC without a container, two in
        transport streams. --stats prints the latency from when a frame has been
        decoded until it and those before it are written; if the input is a file,
        frames also wait for their turn.

        EXAMPLES
        Live, from one program to another:
          camera | vfx smooth - -o - --format matroska | player -
        Twice the frame rate:
          vfx smooth call.mp4 -o call60.mp4 --depth 1
        Twice the width and height as well:
          vfx smooth call.mp4 -o call60.mp4 --depth 1 --scale 2 --stats

        USAGE: vfx smooth [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --at-cut <at-cut>       What to show across a scene cut: hold the earlier
                                  frame or blend both. Default: hold. (values: hold,
                                  blend)
          --long-holds <long-holds>
                                  How to treat frames that last much longer than their
                                  neighbours, as in screen recordings and slides: hold
                                  them until shortly before the next frame, or
                                  interpolate throughout. Default: hold. (values: hold,
                                  interpolate)

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --depth <number>        1, 2, 3 or 4, for 1, 3, 7 or 15 new frames between
                                  two source frames. (default: 1)
          --scale <factor>        1, or 2 to double width and height (only with --depth
                                  1). (default: 1)
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let thumbnails = #"""
        OVERVIEW: Pick the best frames of a video.

        Examines about 100 frames, however long the video is, then searches around the
        best ones for the sharpest, and writes frames that show different things:
        sharp, well lit, lively. Black or white frames, fades, dissolves, color bars
        and pages of text are picked only if there is nothing else.

        The folder receives the images (1.jpg is the best), scores.json,
        contact-sheet.jpg and report.html, which shows why each frame was picked.

        EXAMPLES
          vfx thumbnails in.mp4 -o best/
          vfx thumbnails in.mp4 -o best/ --count 5 --format webp
          vfx thumbnails in.mp4 -o best/ --from 10:00 --to 20:00
        Of each video in a folder, into best/clip.mp4/ and so on:
          vfx thumbnails footage/ -o best/ --recursive

        USAGE: vfx thumbnails [<options>] <input> ... --output <folder>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        OPTIONS:
          -o, --output <folder>   Output folder; created if needed. For several inputs,
                                  the folder of their folders.
          --count <number>        Number of frames to pick, 1 to 100. Default: 3.
          --candidates <number>   Number of frames to examine closely, 10 to 2000.
                                  Default: 100.
          --format <name>         Image format: jpg, png, webp, avif or jxl. Default:
                                  jpg.
          --overwrite             Write into an existing folder and replace what vfx
                                  wrote there; other files are kept.
          --resume                Skip inputs whose folders are complete and not older.
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let still = #"""
        OVERVIEW: Save the frame shown at a given time as an image.

        The extension selects the format: .jpg, .png, .webp, .avif or .jxl. The image
        is upright, has square pixels and is never larger than the video. HDR is
        tone-mapped unless --hdr keeps it (avif, png and jxl). EXIF data names the
        source and, if the file states it, the recording time.

        EXAMPLES
          vfx still in.mp4 --at 12.5 -o still.jpg
          vfx still in.mp4 --at 12.5 -o small.jpg --max-size 1280x720
          vfx still in.mp4 --at 12.5 -o still.jpg --embed-thumbnail 320x180
          vfx still in.mp4 --at 12.5 -o still.avif --hdr
        Fast, the preceding keyframe:
          vfx still in.mp4 --at 12.5 -o still.webp --keyframe

        USAGE: vfx still [<options>] <input> --output <file>

        ARGUMENTS:
          <input>                 Video file or URL.

        OPTIONS:
          --at <time>             Time of the frame to save, or its number such as
                                  300f. (default: 0)
          -o, --output <file>     Output image.
          --max-size <WxH>        Fit the image into this box and keep its aspect
                                  ratio; 0 means no limit for that side.
          --embed-thumbnail <WxH> Embed a thumbnail that fits this box in the EXIF data.
          --quality <number>      Image quality, 1 to 100. (default: 90)
          --lossless              Use lossless compression (webp and jxl; png always
                                  does).
          --tolerance <time>      How far the frame may be from the time; the preceding
                                  keyframe is used if it is not farther away. (default:
                                  0)
          --keyframe              Use the preceding keyframe, however far away.
          --aperture <aperture>   Pixels to show: clean (square, cropped as the file
                                  specifies), production (square) or encoded (as
                                  coded). (values: clean, production, encoded; default:
                                  clean)
          --no-turn               Ignore the rotation that the file specifies.
          --hdr                   Keep high dynamic range instead of tone-mapping it.
          --no-metadata           Write only the EXIF data that the image needs.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  raw H.264.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --overwrite             Replace an existing output.
          --json                  Print the result as one JSON object on standard
                                  output.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let storyboard = #"""
        OVERVIEW: Write seek-bar thumbnails in all track formats, or look one up.

        One pass over the video writes sheets of tiles and the tracks that refer to
        them: WebVTT (.vtt with #xywh=, and -bare.vtt), a grid description, a DASH
        adaptation set, HLS image and I-frame playlists, Jellyfin's trickplay folder,
        small sheets and BIF files for Roku, and player.html, which demonstrates the
        result. --formats chooses among them.

        EXAMPLES
          vfx storyboard in.mp4 -o board/ --interval 5 --grid 10x10 --width 320
        Much faster, from keyframes only:
          vfx storyboard in.mp4 -o fast/ --keyframes
        Of each video in a folder, into boards/clip.mp4/ and so on:
          vfx storyboard footage/ -o boards/ --recursive
        What a player shows at 61.2 s:
          vfx storyboard --lookup board/storyboard.vtt --at 61.2 -o tile.jpg

        USAGE: vfx storyboard [<options>] [<input> ...] --output <name>

        ARGUMENTS:
          <input>                 Video file or URL.

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        OPTIONS:
          -o, --output <name>     Output folder, for several inputs the folder of their
                                  folders, or the output image with --lookup.
          --interval <time>       Time between tiles, in whole milliseconds, or a
                                  number of frames such as 48f. Default: 10.
          --grid <CxR>            Tiles per sheet, columns by rows. Default: 10x10.
          --width <px>            Tile width in pixels, an even number. Default: 320.
          --keyframes             Decode keyframes only.
          --single                Write one image per tile instead of sheets.
          --webp                  Write WebP instead of JPEG; not all players support
                                  it.
          --quality <number>      Image quality, 1 to 100. Default: 75.
          --formats <name,...>    What to write, separated by commas: vtt, castlabs,
                                  dash, hls, iframes, jellyfin, roku, page. Default:
                                  all.
          --base-url <URL>        Address of the folder with the sheets, for the grid
                                  description.
          --lookup <track>        Look up a thumbnail in this track (WebVTT, grid or
                                  BIF) instead.
          --at <time>             Time to look up.
          --threads <number>      Number of threads. Default: one per core.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --overwrite             Write into an existing folder and replace what vfx
                                  wrote there; other files are kept.
          --resume                Skip inputs whose folders are complete and not older.
          --json                  Print the result as one JSON object on standard
                                  output.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let compare = #"""
        OVERVIEW: Compare a clip with a processed version of it, frame by frame.

        Prints PSNR and SSIM of the frames that both clips show at the same times.
        With -o, also writes a self-contained page with these figures over time, the
        frames of both clips under a slider, and the best frames.

        If sizes or formats differ, the second clip is converted to those of the
        first. Slow motion is detected from the lengths of the clips unless --stretch
        is given. With a part of the first clip, the second one is either processed
        from the whole clip or from that part, according to its length. Interlaced
        frames are compared as the pictures of their first fields; --fields tff and
        bff are for the first clip.

        EXAMPLES
          vfx compare before.mp4 after.mp4 -o report.html
          vfx compare before.mp4 slow.mp4 --stretch 4 --json
          vfx compare before.mp4 after.mp4 --from 1:20 --duration 10

        USAGE: vfx compare [<options>] <before> <after>

        ARGUMENTS:
          <before>                Original clip: a video file or URL.
          <after>                 Processed clip: a video file or URL.

        PART OF THE FIRST CLIP:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        OPTIONS:
          -o, --output <file>     HTML page to write, e.g. report.html.
          --stretch <number>      Factor by which the second clip stretches time, 1 to
                                  1000.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --overwrite             Replace an existing page.
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --json                  Print the figures as one JSON object on standard
                                  output.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let enhance = #"""
        OVERVIEW: Run several effects in one pass, and make thumbnails of the result.

        The video is read once and passes from effect to effect without intermediate
        files. --denoise, --upscale, --slomo and --blur run in this order, regardless
        of their order on the command line; --chain and --recipe allow any other
        order. Cuts are detected once, on the input, and no effect mixes frames across
        one. If slomo stretches time, audio and subtitles are stretched as well.

        Effects in a chain, separated by commas: denoise=auto, denoise=0.5,
        denoise=auto:deblock=off, denoise=sigma=12, denoise=sigma=12/0.5, upscale=2,
        upscale=1920x1080, slomo=0.25/0.5/0.75, slomo=x4 (the same), rate=60, blur=30,
        grain=4, grain=film.tbl.

        EXAMPLES
          vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5
        With thumbnails and a storyboard of the result:
          vfx enhance in.mov -o out.mp4 --blur 30 --thumbnails best/ --storyboard b/
        In another order:
          vfx enhance in.mp4 -o out.mkv --chain slomo=0.25/0.5/0.75,denoise=auto

        USAGE: vfx enhance [<options>] <input> ... --output <file>

        INPUT:
          <input>                 Video file, URL, - for standard input, or images:
                                  in_%04d.png, a quoted '*.png', or a folder.
          --input-fps <rate>      Frame rate of an input without timestamps, such as
                                  images (default: 25) or raw H.264 (y4m states its
                                  own).
          --start-number <number> Number of the first image. Default: the lowest.
          --fields <fields>       Deinterlace the frames whose pictures or marks show
                                  that they are interlaced (auto), or all frames as top
                                  (tff) or bottom field first (bff); or process frames
                                  as they are (off). (values: auto, tff, bff, off)
          --allow-interlaced      The same as --fields off.
          --strict                Fail on damaged input instead of keeping what can be
                                  decoded.
          --no-network            Do not read anything from the network.
          --ignore-dolby-vision   Process Dolby Vision without a base layer (profile 5)
                                  like any other video; colors will be wrong.
          --field-rate <field-rate>
                                  Make a picture of each field of interlaced video,
                                  which doubles the frame rate, or one of each frame.
                                  Default: field for deinterlace, rate and slomo,
                                  otherwise frame. (values: field, frame)
          --cadence <handling>    Put the frames of telecined film together again, at
                                  their own rate (auto), or deinterlace them like other
                                  video (off). (values: auto, off; default: auto)

        PART OF THE INPUT:
          --from <time>           Begin with the first frame at or after this time of
                                  the input: seconds, h:m:s, or a frame such as 300f.
          --to <time>             End before this time of the input, or before this
                                  frame.
          --duration <time>       Duration of the part: a time, or a number of frames
                                  such as 48f.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        OUTPUT:
          -o, --output <file>     Output file, - for standard output, or numbered
                                  images such as out_%05d.png; for several inputs, the
                                  folder of their outputs.
          --format <name>         Container format, e.g. matroska or yuv4mpegpipe; null
                                  writes nothing. Default: by the output's extension.
          --codec <codec>         Video codec. Default: chosen to suit the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale; lower is better.
          --preset <name>         Encoder preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, if the codec supports it; 4:2:0 for RGB
                                  in mp4.
          --encoder-threads <number>
                                  Number of encoder threads. It affects the encoded
                                  file, so it does not follow the number of cores.
                                  Default: 8.
          --overwrite             Replace an existing output.
          --fail-on-loss          Fail if anything in the input would be lost, instead
                                  of printing a note.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --keep-start            Keep the start time of the input. Default: the output
                                  starts at zero.

        MANY INPUTS:
          --recursive             Search input folders and their subfolders for videos.
          --suffix <text>         Text to add to each name, such as -clean; with a dot,
                                  also the new extension, such as -clean.mkv or .mkv.

        EFFECT:
          --quality <quality>     Trade-off between speed and image quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --cuts <file>           Read scene cuts from this file instead of detecting
                                  them: one time or frame per line, a PySceneDetect
                                  scene list (CSV) or an edit decision list (EDL).
          --cut-threshold <number>
                                  Threshold of scene cut detection, 0 to 1; a higher
                                  value finds fewer cuts. Default: 0.5.
          --at-cut <at-cut>       What to show across a scene cut: hold the earlier
                                  frame or blend both. Default: hold. (values: hold,
                                  blend)
          --long-holds <long-holds>
                                  How to treat frames that last much longer than their
                                  neighbours, as in screen recordings and slides: hold
                                  them until shortly before the next frame, or
                                  interpolate throughout. Default: hold. (values: hold,
                                  interpolate)
          --repeats <repeats>     Frames that repeat the picture before them: find the
                                  low frame rate inside and the lost frames, and
                                  interpolate between the pictures that differ (auto);
                                  take repeats as frames like any other (keep); or
                                  leave out all of them (drop). Default: auto. (values:
                                  auto, keep, drop)
          --mask <file>           Keep the pixels of the nearest source frame where
                                  this image is white, and mix them in where it is
                                  gray. Numbered images or a video are a mask for each
                                  frame of the source. All effects do so that can.
          --hold-rect <x,y,w,h>   Keep the pixels of the nearest source frame in this
                                  rectangle: the pixels left of it and above it, its
                                  width and its height. There may be several.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --denoise <strength>    Reduce noise: the part to remove, from 0 (none) to 1
                                  (all), or auto.
          --upscale <size>        Scale factor or displayed size, e.g. 2, 1.5, 4/3 or
                                  1920x1080.
          --slomo <p,p,...>       Positions of the new frames between two source
                                  frames: ascending numbers between 0 and 1, n of which
                                  make the clip n+1 times longer; or x4 for four times
                                  slower.
          --blur <strength>       Motion blur: length of the exposure, 1 to 100.
          --chain <effect=value,...>
                                  Effects in the order in which they run.
          --recipe <file>         File that lists the effects, as written by
                                  --print-recipe.
          --own-motion            Let each effect estimate its own motion; gives the
                                  same frames as separate commands.
          --print-recipe          Print the effects as a recipe (JSON) and exit.
          --thumbnails <folder>   Folder for the best frames of the result, as with vfx
                                  thumbnails.
          --thumbnail-count <number>
                                  Number of frames to pick, 1 to 100. Default: 3.
          --storyboard <folder>   Folder for a storyboard of the result, as with vfx
                                  storyboard.
          --storyboard-interval <time>
                                  Time between its tiles, in whole milliseconds, or a
                                  number of frames such as 48f. Default: 10.
          --audio <audio>         Copy the audio unchanged, or drop it. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let run = #"""
        OVERVIEW: Run a job written by --print-job.

        A job is a JSON file with the input, the effects with all their settings, and
        the output; every command that makes a video prints one with --print-job.
        Relative paths are resolved against the current folder. The result is the
        same as that of the command.

        EXAMPLES
          vfx denoise in.mp4 -o out.mp4 --print-job > job.json
          vfx run job.json

        USAGE: vfx run [<options>] <file>

        ARGUMENTS:
          <file>                  File with the job, or - for standard input.

        BEFORE A LONG RUN:
          --preview <time>        Process only 2 seconds of the input, starting at this
                                  time or frame.
          --preview-report <file> With --preview: also write a page that compares the
                                  preview with the input.
          --estimate              Process samples instead of the whole clip, and print
                                  the estimated frame count, output size, duration and
                                  peak memory.
          --print-job             Do not make the video, but print the job as JSON, for
                                  vfx run.

        REPORTS:
          --stats                 Print statistics at the end: frames, speed, memory,
                                  cuts and effect measurements.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print details of the input and the output.

        MANY MACHINES:
          --plan <folder>         Write a plan for encoding on many machines to this
                                  folder instead of making the video; see vfx work, vfx
                                  join and vfx submit.
          --plan-by-decoding      With --plan: decode the whole input instead of
                                  trusting the packets of mp4 and Matroska files; vfx
                                  join reports when this is needed.

        OPTIONS:
          --overwrite             Replace an existing output.
          --resume                Resume an interrupted job after its finished
                                  segments; exit at once if it is already complete.
          --threads <number>      Number of threads. Default: one per core. The result
                                  does not depend on it.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let work = #"""
        OVERVIEW: Make segments of a divided job.

        Any number of workers may run at once, on any machine that can read the input
        and write to the job's folder. A worker reads the input from shortly before its
        segments. Existing segments are verified and kept, so the command can be
        repeated at any time.

        Without --segment and --task, the number of the task is taken from
        SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX.

        EXAMPLES
          vfx enhance in.mp4 -o out.mp4 --denoise auto --plan job/
          vfx work job/ --segment 7
          vfx work job/ --task 2 --tasks 10

        USAGE: vfx work <job> [--segment <number>] [--task <number>] [--tasks <number>] [--input <file>] [--json] [--quiet]

        ARGUMENTS:
          <job>                   Folder of a job made with --plan.

        REPORTS:
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.

        OPTIONS:
          --segment <number>      Segment to make, from 0.
          --task <number>         Number of the task, from 0: a run of consecutive
                                  segments.
          --tasks <number>        Total number of tasks. Default: one for each segment.
          --input <file>          Path of the input on this machine, if it differs from
                                  the plan's.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let join = #"""
        OVERVIEW: Join the segments of a divided job.

        Verifies every segment, writes the video with audio and all other streams, and
        makes the thumbnails and the storyboard if the job has any. The video is the
        same as without --plan. If a segment is missing or damaged, an error names it
        and the command that makes it. The command can be repeated at any time; the
        job's folder is kept and can be removed afterwards.

        EXAMPLE
          vfx join job/

        USAGE: vfx join <job> [--input <file>] [--json] [--quiet]

        ARGUMENTS:
          <job>                   Folder of a job made with --plan.

        REPORTS:
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.

        OPTIONS:
          --input <file>          Path of the input on this machine, if it differs from
                                  the plan's.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let status = #"""
        OVERVIEW: Show the progress of a divided job.

        Counts the segments that are done, running and failed, from the files in the
        job's folder. If the job was submitted to Slurm and squeue is installed, also
        counts its tasks.

        EXAMPLE
          vfx status job/ --watch

        USAGE: vfx status <job> [--json] [--watch]

        ARGUMENTS:
          <job>                   Folder of a job made with --plan.

        OPTIONS:
          --json                  Print one JSON object per line on standard output.
          --watch                 Repeat every 5 seconds until all segments are done.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let submit = #"""
        OVERVIEW: Submit a divided job to a scheduler.

        slurm submits a job array, and a job that joins the segments after it, and
        prints the numbers of both. k8s prints the manifest of a Kubernetes Indexed
        Job, and of a suspended job that joins the segments. parallel prints a shell
        script for GNU parallel on one machine. All of them run vfx work and vfx join,
        which verify the segments themselves.

        EXAMPLES
          vfx submit job/ --engine slurm --partition render --max-running 40
          vfx submit job/ --engine parallel | sh

        USAGE: vfx submit <job> --engine <engine> [--tasks <number>] [--max-running <number>] [--retries <number>] [--partition <name>] [--time <time>] [--image <name>] [--input <file>]

        ARGUMENTS:
          <job>                   Folder of a job made with --plan.

        OPTIONS:
          --engine <engine>       Scheduler. (values: slurm, k8s, parallel)
          --tasks <number>        Number of tasks. Default: one for each segment, and
                                  no more than Slurm's MaxArraySize allows.
          --max-running <number>  Number of tasks that may run at once. Default: no
                                  limit.
          --retries <number>      How often a failed task is started again, 0 to 100.
                                  Default: 2.
          --partition <name>      Slurm partition.
          --time <time>           Time limit of a Slurm task, e.g. 30 or 1:00:00.
          --image <name>          Container image for Kubernetes that holds vfx.
                                  Default: vfx.
          --input <file>          Path of the input on the workers, if it differs from
                                  the plan's.
          --version               Show the version.
          -h, --help              Show help information.
        """#
}
