/// The help texts in full; a change of the command line shows here.
enum HelpSnapshots {
    static let vfx = #"""
        OVERVIEW: Video frame effects on ordinary CPUs.

        EXAMPLES
          vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
          vfx rate in.mp4 -o out.mp4 --fps 60
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

        EXIT CODES
          0    done
          3    done, but part of the input was damaged and is missing
          64   the command line is wrong
          65   the input is not a video that can be used
          66   the input is missing or cannot be opened
          70   a fault in vfx itself
          71   memory ran out
          73   the output cannot be created or begun
          74   writing the output failed (disk full, reader of a pipe gone)
          129  stopped by SIGHUP, nothing unfinished left behind
          130  stopped by SIGINT (Ctrl-C), nothing unfinished left behind
          143  stopped by SIGTERM, nothing unfinished left behind

        VFX_CPU=c|sse41|avx2|avx512 in the environment limits the instructions used;
        the
        result is the same.

        USAGE: vfx <subcommand>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          slomo                   Slow a video down by making the frames in between.
          rate                    Convert a video to another frame rate at the same
                                  speed.
          info                    Show streams, timing, color, cuts and duplicates of a
                                  file.
          flow                    Show, save or measure the motion between frames.
          blur                    Blur what moves, as a longer exposure would.
          denoise                 Take noise out of a video with the help of
                                  neighbouring frames.
          upscale                 Make a video or a picture larger.
          smooth                  Multiply the frame rate of live video without looking
                                  ahead.
          thumbnails              Pick the best frames of a video.
          still                   Save the frame shown at a time as a picture.
          storyboard              Write thumbnails for a seek bar, in every track
                                  format; or look one up.
          compare                 Compare a clip with what was made of it, frame by
                                  frame.
          enhance                 Run several effects in one pass, and make thumbnails
                                  of the result.

          See 'vfx help <subcommand>' for detailed help.
        """#

    static let slomo = #"""
        OVERVIEW: Slow a video down by making the frames in between.

        Every frame is kept as it is, one new frame is made between neighbours for
        each phase, and time is stretched by the number of phases plus one: N frames
        become (N-1)*(phases+1)+1.

        EXAMPLES
        4 times slower:
          vfx slomo in.mp4 -o out.mp4 --phases 0.25,0.5,0.75
        8 times slower, seven even phases:
          vfx slomo in.mov -o out.mkv --factor 8
        Through pipes:
          cat in.y4m | vfx slomo - -o - --phases 0.5 --format yuv4mpegpipe | ffplay -
        Only measure:
          vfx slomo in.mp4 -o /dev/null --format null --stats

        USAGE: vfx slomo [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.
          --at-cut <at-cut>       What to show across a scene cut. (values: hold,
                                  blend; default: hold)

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --phases <p,p,...>      Where between two frames new ones are made: numbers
                                  between 0 and 1, ascending. Default: 0.5.
          --factor <number>       Evenly spaced phases for this many times slower.
          --audio <audio>         Stretch audio at constant pitch, or leave it out.
                                  (values: stretch, drop; default: stretch)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let rate = #"""
        OVERVIEW: Convert a video to another frame rate at the same speed.

        The source is sampled n/rate seconds after its first frame, whatever the times
        of its own frames are; a source frame that lies exactly there is kept as it is.
        D seconds become D*rate frames, rounded.

        EXAMPLES
          vfx rate in.mp4 -o out.mp4 --fps 60
          vfx rate in.mkv -o out.mkv --fps 24000/1001
        Means 60000/1001 exactly:
          vfx rate in.mov -o out.mp4 --fps 59.94

        USAGE: vfx rate [<options>] <input> --output <file> --fps <rate>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.
          --at-cut <at-cut>       What to show across a scene cut. (values: hold,
                                  blend; default: hold)

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --fps <rate>            Frames per second of the result, 1 to 1000: 60,
                                  24000/1001, 23.976.
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let info = #"""
        OVERVIEW: Show streams, timing, color, cuts and duplicates of a file.

        Reads the head, then decodes every picture of the video that the other commands
        would take, since heads are often wrong. Interlaced video is shown as it is. A
        file without video gets its streams listed.

        EXAMPLES
          vfx info in.mp4
        Head and first picture only:
          vfx info in.mp4 --fast
        For programs:
          vfx info in.mp4 --json

        USAGE: vfx info <input> [--input-fps <rate>] [--fast] [--threads <number>] [--no-network] [--json] [--quiet]

        ARGUMENTS:
          <input>                 Media file, URL, or - for standard input.

        OPTIONS:
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264).
          --fast                  Do not decode the clip: no frame count, cuts or
                                  duplicates.
          --threads <number>      Threads to decode with. Default: one per core.
          --no-network            Read nothing from the network.
          --json                  Print one JSON object on standard output.
          --quiet                 Print the result and errors only, no progress.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let flow = #"""
        OVERVIEW: Show, save or measure the motion between frames.

        Finds where every pixel goes, from a frame to the next and back. Colors tell it
        by the Middlebury wheel: the hue is the direction, the saturation the length.

        One pair (two pictures, or a video with --at) becomes a picture, .flo (one
        direction, for other programs) or .vfxflow (both, with confidence and
        occlusion, without loss); vectors replace an existing file of vectors without
        --overwrite. A whole clip becomes a video or numbered pictures.

        EXAMPLES
          vfx flow in.mp4 --at 3.2 -o flow.png
          vfx flow in.mp4 --at 3.2 -o arrows.png --arrows
          vfx flow a.png b.png -o flow.flo
          vfx flow a.png b.png -o hidden.png --occlusion
          vfx flow in.mp4 --at 3.2 -o weights.png --weights --phase 0.5
          vfx flow in.mp4 -o flow.mp4 --overlay
        Only measure:
          vfx flow in.y4m -o /dev/null --format null --stats

        USAGE: vfx flow [<options>] <input> [<next>] --output <file>

        ARGUMENTS:
          <next>                  Second picture; the first argument is then a picture
                                  too.

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --at <seconds>          Take the frame shown at this time of the file and the
                                  next one, as they are, a cut between them or not.
          --arrows, --overlay     Draw arrows over the picture instead of colors.
          --confidence            Draw how far the motion is to be trusted, black to
                                  white.
          --occlusion             Draw what the other frame does not show, in white.
          --holes                 Draw where no motion arrives at --phase when a frame
                                  is interpolated there, in white.
          --weights               Draw the share of the next frame in the frame
                                  interpolated at --phase, black to white.
          --phase <0-1>           Where between the two frames --holes and --weights
                                  look. Default: 0.5.
          --backward              Motion from the next frame back to the first.
          --max-motion <px>       Motion drawn in full color or by the longest arrow,
                                  in pixels. Default: what suits the motion; in a clip
                                  it changes seldom.
          --legend/--no-legend    Draw the wheel and its figure in a corner. Default:
                                  drawn.
          --quality <quality>     Trade between speed and exactness. (values: normal,
                                  high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  result does not depend on it.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let blur = #"""
        OVERVIEW: Blur what moves, as a longer exposure would.

        The exposure is centred on each frame and as long as the shutter angle says:
        strength x 3.6 degrees, so 50 is the 180 degrees of film and 100 exposes for a
        whole frame. What does not move stays as it is; times, sound and all else are
        kept.

        EXAMPLES
          vfx blur in.mp4 -o out.mp4
        A full 360 degrees, summed up as light and not as code values:
          vfx blur in.mov -o out.mkv --strength 100 --linear-light

        USAGE: vfx blur [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --strength <number>     Length of the exposure, a whole number from 1 to 100.
                                  (default: 50)
          --linear-light          Sum up in linear light.
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let denoise = #"""
        OVERVIEW: Take noise out of a video with the help of neighbouring frames.

        Each frame is compared with those before and after it, along the motion, never
        across a cut. How much noise there is is found in the pictures unless --sigma
        says it; times, sound and all else are kept.

        EXAMPLES
          vfx denoise in.mp4 -o out.mp4
        Half as strong, and the best picture no matter the time:
          vfx denoise in.mov -o out.mkv --strength 0.5 --quality high
        Without waiting for frames to come:
          vfx denoise in.mkv -o out.mkv --sigma 12 --future 0

        USAGE: vfx denoise [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --strength <number>     How strong, 0 (leaves all as it is) to 1, or auto.
                                  Default: auto.
          --sigma <number>        The noise, where it is known: its standard deviation
                                  in 8-bit code values, 0 to 255.
          --past <number>         Frames before each that are looked at, 0 to 3 (at
                                  high quality 8). Default: all.
          --future <number>       Frames after each that are looked at, 0 to 3 (at high
                                  quality 8). Default: all.
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let upscale = #"""
        OVERVIEW: Make a video or a picture larger.

        Luma goes through a learned model, as often as the factor takes, and is brought
        down to the size asked for; chroma is resampled where it sits. With --quality
        high, or --input-type video, frames of a video take over detail from the frame
        before, never across a cut. Times, sound and all else are kept.

        With --size the result has exactly that size, as shown (a video that is turned
        for display is turned here too); where that is another shape, the shape of a
        pixel makes up for it.

        EXAMPLES
          vfx upscale in.mp4 -o out.mp4 --scale 2
          vfx upscale in.mov -o out.mkv --size 1920x1080 --quality high
          vfx upscale photo.jpg -o photo-x4.png --scale 4
        For calls and live video, compressed hard:
          vfx upscale call.mp4 -o call-hd.mp4 --scale 2 --low-latency

        USAGE: vfx upscale [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --scale <factor>        How many times larger: above 1, at most 16, e.g. 2,
                                  1.5 or 4/3.
          --size <WxH>            Size of the result, not smaller than the source, at
                                  most 8192x8192.
          --low-latency           Frame in, frame out, nothing remembered; cleans up
                                  after hard compression.
          --input-type <input-type>
                                  Frames of a video help each other, images stand
                                  alone. Default: video with --quality high, else
                                  image. (values: video, image)
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let smooth = #"""
        OVERVIEW: Multiply the frame rate of live video without looking ahead.

        As each frame comes, those between it and the one before are made: 2^depth - 1
        of them, at the same speed, so N frames become (N-1)*2^depth+1. Cuts are told
        by
        the frames so far alone. Where time does not press, vfx rate gives better
        pictures.

        EXAMPLES
        Twice the frame rate:
          vfx smooth call.mp4 -o call60.mp4 --depth 1
        Twice as large as well:
          vfx smooth call.mp4 -o call60.mp4 --depth 1 --scale 2 --stats

        USAGE: vfx smooth [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.
          --at-cut <at-cut>       What to show across a scene cut. (values: hold,
                                  blend; default: hold)

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --depth <number>        1, 2, 3 or 4 for 1, 3, 7 or 15 frames between two.
                                  (default: 1)
          --scale <factor>        1, or 2 for frames twice as wide and high (with depth
                                  1). (default: 1)
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let thumbnails = #"""
        OVERVIEW: Pick the best frames of a video.

        Looks at about 100 frames whatever the length, then round each of the best
        ones for its sharpest neighbour, and writes those that show different things:
        sharp, well lit, lively; never black or white frames, fades, dissolves, bars
        or pages of text while there is anything else.

        The folder gets the pictures (1.jpg is the best), scores.json,
        contact-sheet.jpg and report.html, which shows why each was picked.

        EXAMPLES
          vfx thumbnails in.mp4 -o best/
          vfx thumbnails in.mp4 -o best/ --count 5 --format webp

        USAGE: vfx thumbnails [<options>] <input> --output <folder>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          -o, --output <folder>   Folder to write; made if need be.
          --count <number>        Frames to pick, 1 to 100. Default: 3.
          --candidates <number>   Frames to look at closely, 10 to 2000. Default: 100.
          --format <name>         Kind of pictures: jpg, png, webp, avif or jxl.
                                  Default: jpg.
          --overwrite             Write into an existing folder and replace what vfx
                                  wrote there; other files stay.
          --threads <number>      Threads to work with. Default: one per core. The
                                  result does not depend on it.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let still = #"""
        OVERVIEW: Save the frame shown at a time as a picture.

        The name's extension says how: .jpg, .png, .webp, .avif or .jxl. The picture is
        upright, its pixels are square, and it is never larger than the video. HDR is
        tone-mapped unless --hdr keeps it (avif, png and jxl). EXIF data tells the
        source and, where the file has one, the time of recording.

        EXAMPLES
          vfx still in.mp4 --at 12.5 -o still.jpg
          vfx still in.mp4 --at 12.5 -o small.jpg --max-size 1280x720
          vfx still in.mp4 --at 12.5 -o still.jpg --embed-thumbnail 320x180
          vfx still in.mp4 --at 12.5 -o still.avif --hdr
        Fast, the key frame before:
          vfx still in.mp4 --at 12.5 -o still.webp --keyframe

        USAGE: vfx still [<options>] <input> --output <file>

        ARGUMENTS:
          <input>                 Video file or URL.

        OPTIONS:
          --at <seconds>          Take the frame shown at this time of the file.
                                  (default: 0)
          -o, --output <file>     Picture to write.
          --max-size <WxH>        Box that the picture must fit, keeping its shape; 0
                                  for a side without a limit.
          --embed-thumbnail <WxH> Put a thumbnail that fits this box into the file's
                                  EXIF data.
          --quality <number>      1 to 100. (default: 90)
          --lossless              Without loss (png always; webp, jxl).
          --tolerance <seconds>   How far the frame may lie from the time; the key
                                  frame before is taken if it does not lie farther.
                                  (default: 0)
          --keyframe              Take the key frame before the time, however far.
          --aperture <aperture>   Pixels shown: clean (square, cropped as the file
                                  says), production (square) or encoded (as coded).
                                  (values: clean, production, encoded; default: clean)
          --no-turn               Do not turn the picture; the file says how it is to
                                  be turned.
          --hdr                   Keep high dynamic range instead of tone-mapping it.
          --no-metadata           Write no EXIF data but what the picture needs.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264).
          --no-network            Read nothing from the network.
          --overwrite             Replace an existing output.
          --json                  Print the result as one JSON object on standard
                                  output.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let storyboard = #"""
        OVERVIEW: Write thumbnails for a seek bar, in every track format; or look one
        up.

        One pass over the video writes sheets of tiles and, for them: WebVTT (.vtt with
        #xywh=, and -bare.vtt), a grid description, a DASH adaptation set, HLS image
        and
        I-frame playlists, Jellyfin's trickplay folder, small sheets and BIF files for
        Roku, and player.html, which shows them working.

        EXAMPLES
          vfx storyboard in.mp4 -o board/ --interval 5 --grid 10x10 --width 320
        Much faster, from key frames alone:
          vfx storyboard in.mp4 -o fast/ --keyframes
        What a player shows at 61.2 s:
          vfx storyboard --lookup board/storyboard.vtt --at 61.2 -o tile.jpg

        USAGE: vfx storyboard [<options>] [<input>] --output <name>

        ARGUMENTS:
          <input>                 Video file or URL.

        OPTIONS:
          -o, --output <name>     Folder to write, or the picture of --lookup.
          --interval <seconds>    How long each tile stands, in whole milliseconds.
                                  Default: 10.
          --grid <CxR>            Tiles on a sheet, columns by rows. Default: 10x10.
          --width <px>            Width of a tile in pixels, even. Default: 320.
          --keyframes             Decode key frames alone.
          --single                Write one picture per tile instead of sheets.
          --webp                  Write WebP instead of JPEG; not all players show it.
          --quality <number>      1 to 100. Default: 75.
          --base-url <URL>        Address of the sheets' folder, for the grid
                                  description.
          --lookup <track>        Thumbnail track (WebVTT, grid, BIF) to look up
                                  instead.
          --at <seconds>          Moment to look up.
          --threads <number>      Threads to work with. Default: one per core.
          --no-network            Read nothing from the network.
          --overwrite             Write into an existing folder; what vfx wrote there
                                  before goes, nothing else.
          --json                  Print the result as one JSON object on standard
                                  output.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let compare = #"""
        OVERVIEW: Compare a clip with what was made of it, frame by frame.

        Prints PSNR and SSIM of the frames that both clips show at the same moments.
        With -o also writes a page, one file, that shows them over time, frames of
        both under a slider, and the best frames.

        Where sizes or formats differ, the second clip is brought to those of the
        first. Slow motion is told by the lengths of the clips, unless --stretch says
        it.

        EXAMPLES
          vfx compare before.mp4 after.mp4 -o report.html
          vfx compare before.mp4 slow.mp4 --stretch 4 --json

        USAGE: vfx compare <before> <after> [--output <file>] [--stretch <number>] [--allow-interlaced] [--no-network] [--overwrite] [--threads <number>] [--json] [--quiet]

        ARGUMENTS:
          <before>                Clip as it was: a video file or URL.
          <after>                 What was made of it: a video file or URL.

        OPTIONS:
          -o, --output <file>     Page to write, e.g. report.html.
          --stretch <number>      How often the second clip stretches time, 1 to 1000.
          --allow-interlaced      Take interlaced pictures as they are.
          --no-network            Read nothing from the network.
          --overwrite             Replace an existing page.
          --threads <number>      Threads to work with. Default: one per core. The
                                  result does not depend on it.
          --json                  Print the figures on standard output as one JSON
                                  object.
          --quiet                 Print errors only.
          --version               Show the version.
          -h, --help              Show help information.
        """#

    static let enhance = #"""
        OVERVIEW: Run several effects in one pass, and make thumbnails of the result.

        The video is read once and goes from effect to effect without being written in
        between. --denoise, --upscale, --slomo and --blur run in this order, whatever
        their order here; --chain and --recipe give any other. Cuts are found once, on
        the input, and nothing is mixed over one. Where slomo stretches time, sound and
        subtitles are stretched too.

        In a chain: denoise=auto, denoise=0.5, denoise=sigma=12, upscale=2,
        upscale=1920x1080, slomo=0.25/0.5/0.75, slomo=x4 (the same), rate=60, blur=30,
        with commas between.

        EXAMPLES
          vfx enhance in.mp4 -o out.mp4 --denoise auto --upscale 2 --slomo 0.5
        With thumbnails and a storyboard of the result:
          vfx enhance in.mov -o out.mp4 --blur 30 --thumbnails best/ --storyboard b/
        In another order:
          vfx enhance in.mp4 -o out.mkv --chain slomo=0.25/0.5/0.75,denoise=auto

        USAGE: vfx enhance [<options>] <input> --output <file>

        INPUT:
          <input>                 Video file, URL, or - for standard input.
          --input-fps <rate>      Frame rate of an input that has no times of its own
                                  (raw .264, y4m says it itself).
          --allow-interlaced      Take interlaced pictures as they are.
          --strict                Refuse damaged input instead of saving what decodes.
          --no-network            Read nothing from the network.

        OUTPUT:
          -o, --output <file>     File to write, - for standard output, or a picture
                                  name such as out_%05d.png.
          --format <name>         Container, e.g. matroska or yuv4mpegpipe; null writes
                                  nothing. Default: by the output's name.
          --codec <codec>         Video codec. Default: what suits the container.
                                  (values: h264, hevc, av1, vp9, prores, ffv1, rawvideo)
          --crf <number>          Quality on the encoder's own scale, smaller is better.
          --preset <name>         The encoder's preset.
          --pixel-format <name>   Pixel format to encode, e.g. yuv420p10le. Default:
                                  the input's, where the codec can.
          --overwrite             Replace an existing output.
          --resume                Go on with what an interrupted run of the same job
                                  has kept.

        EFFECT:
          --quality <quality>     Trade between speed and picture quality. (values:
                                  normal, high; default: normal)
          --threads <number>      Threads to work with. Default: one per core. The
                                  pictures do not depend on it.
          --at-cut <at-cut>       What to show across a scene cut. (values: hold,
                                  blend; default: hold)

        REPORTS:
          --stats                 Print figures at the end: frames, speed, memory, cuts
                                  and what the effect did.
          --json                  Print events on standard output, one JSON object per
                                  line.
          --quiet                 Print errors only.
          --verbose               Print what is known of the input and the output.

        OPTIONS:
          --denoise <strength>    Take noise out: 0 (none) to 1, or auto.
          --upscale <size>        How many times larger, or the size as shown: 2, 1.5,
                                  4/3 or 1920x1080.
          --slomo <p,p,...>       Where between two frames new ones are made: numbers
                                  between 0 and 1, ascending, which stretch time by
                                  their number plus one; or x4 for four times slower.
          --blur <strength>       Motion blur: length of the exposure, 1 to 100.
          --chain <effect=value,...>
                                  Effects in the order in which they run.
          --recipe <file>         File that names the effects, as --print-recipe writes
                                  it.
          --own-motion            Let each effect find motion for itself: the same
                                  pictures as from one command after another.
          --print-recipe          Print the effects as a recipe (JSON) and do nothing
                                  else.
          --thumbnails <folder>   Folder for the best frames of the result, as of vfx
                                  thumbnails.
          --thumbnail-count <number>
                                  Frames to pick, 1 to 100. Default: 3.
          --storyboard <folder>   Folder for a storyboard of the result, as of vfx
                                  storyboard.
          --storyboard-interval <seconds>
                                  How long each of its tiles stands, in whole
                                  milliseconds. Default: 10.
          --audio <audio>         Copy audio untouched, or leave it out. (values: copy,
                                  drop; default: copy)
          --version               Show the version.
          -h, --help              Show help information.
        """#
}
