import Foundation
import TestSupport
import Testing

/// The jobs that commands describe, as JSON. A job that a newer program reads differently is another job, so these change
/// only together with the version of the format.
@Suite struct PrintedJobTests {
    @Test(arguments: [
        (
            "slomo in.mp4 -o out.mkv --phases 0.25,0.5 --at-cut blend",
            #"{"at_cut":"blend","cuts":{"threshold":0.5},"effects":[{"effect":"slomo","phases":["1/4","1/2"]}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "slomo in.mp4 -o out.mkv --factor 1.5 --audio drop --from 0:10 --duration 48f",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"slomo","factor":"3/2"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","duration":{"frame":48},"fields":"auto","file":"in.mp4","from":{"time":{"timescale":1,"value":10}},"ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"drop","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "rate in.mp4 -o out.mp4 --fps 59.94 --crf 20 --preset fast --codec h264 --encoder-threads 4",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"rate","fps":"60000/1001"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","codec":"h264","crf":20,"encoder_threads":4,"fail_on_loss":false,"file":"out.mp4","keep_start":false,"preset":"fast"},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "blur in_%03d.png -o out.mkv --input-fps 24 --start-number 7 --strength 40 --linear-light",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"blur","linear_light":true,"strength":40}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in_%03d.png","fps":"24","ignore_dolby_vision":false,"network":true,"repeats":"auto","start_number":7,"strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "denoise in.mkv -o out.mkv --sigma 12 --strength 0.5 --past 2 --future 0 --deblock off --cut-threshold 0.3",
            #"{"at_cut":"hold","cuts":{"threshold":0.3},"effects":[{"deblock":"off","effect":"denoise","future":0,"past":2,"sigma":12,"strength":0.5}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mkv","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "denoise in.mkv -o out.mkv --codec av1 --grain keep --grain-table film.tbl --cuts cuts.txt --quality high",
            #"{"at_cut":"hold","cuts":{"file":"cuts.txt"},"effects":[{"effect":"denoise","strength":"auto"}],"extras":{"grain_table":"film.tbl","keep_grain":true},"input":{"cadence":"auto","fields":"auto","file":"in.mkv","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","codec":"av1","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"high","version":1}"#
        ),
        (
            "upscale in.mp4 -o out.mkv --size 1920x1080 --input-type video --deblock off --strict --no-network",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"deblock":"off","effect":"upscale","input_type":"video","size":"1920x1080"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":false,"repeats":"auto","strict":true},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "upscale in.mp4 -o out.mkv --scale 4/3 --low-latency",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"upscale","low_latency":true,"scale":"4/3"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "smooth in.mp4 -o out.mkv --depth 2 --long-holds interpolate --pixel-format yuv420p10le --keep-start",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"depth":2,"effect":"smooth"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"interpolate","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":true,"pixel_format":"yuv420p10le"},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "enhance in.mp4 -o out.mp4 --chain denoise=auto,slomo=x3,grain=4 --own-motion --thumbnails best --storyboard board --storyboard-interval 48f",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"denoise","strength":"auto"},{"effect":"slomo","phases":["1/3","2/3"]},{"effect":"grain","strength":4}],"extras":{"keep_grain":false,"storyboard":{"folder":"board","interval":{"frame":48}},"thumbnails":{"count":3,"folder":"best"}},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mp4","keep_start":false},"own_motion":true,"quality":"normal","version":1}"#
        ),
        (
            "flow in.mp4 -o flow.mp4 --overlay --backward --max-motion 8 --no-legend --allow-interlaced",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"direction":"previous","effect":"flow","legend":false,"maximum":8,"output":"arrows"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"off","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"flow.mp4","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "deinterlace in.ts -o out.mkv --fields tff",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"cadence":"auto","effect":"deinterlace","field_rate":"field","fields":"tff"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.ts","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "slomo in.ts -o out.mkv --fields bff --field-rate frame",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"slomo","phases":["1/2"]}],"extras":{"keep_grain":false},"input":{"cadence":"auto","field_rate":"frame","fields":"bff","file":"in.ts","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":false,"file":"out.mkv","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
        (
            "flow in.mp4 -o flow_%05d.png --format image2 --fail-on-loss",
            #"{"at_cut":"hold","cuts":{"threshold":0.5},"effects":[{"effect":"flow","output":"colors","range":"full"}],"extras":{"keep_grain":false},"input":{"cadence":"auto","fields":"auto","file":"in.mp4","ignore_dolby_vision":false,"network":true,"repeats":"auto","strict":false},"long_holds":"hold","output":{"audio":"keep","encoder_threads":8,"fail_on_loss":true,"file":"flow_%05d.png","format":"image2","keep_start":false},"own_motion":false,"quality":"normal","version":1}"#
        ),
    ])
    func aCommandDescribesItsJob(command: String, job: String) throws {
        let folder = try TemporaryFolder()
        let run = try vfx(command.split(separator: " ").map(String.init) + ["--print-job"], in: folder)
        #expect(run.status == 0 && run.standardError.isEmpty, "\(run.standardError)")
        let object = try JSONSerialization.jsonObject(with: run.standardOutput)
        let text = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(String(decoding: text, as: UTF8.self) == job)
        #expect(folder.contents.isEmpty)
    }

    /// A job in a file makes what the command makes.
    @Test func aJobMakesWhatItsCommandMakes() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Y4M.encode(clip(8, width: 64, height: 48)), to: "in.y4m")
        let arguments = ["enhance", "in.y4m", "-o", "out.mkv", "--chain", "denoise=0.5,slomo=0.5", "--codec", "ffv1"]
        let printed = try vfx(arguments + ["--print-job"], in: folder)
        _ = try folder.write(printed.standardOutput, to: "job.json")
        #expect(try vfx(arguments + ["--quiet"], in: folder).status == 0)
        let made = try folder.data("out.mkv")
        let refused = try vfx("run", "job.json", in: folder)
        #expect(refused.status == 73 && refused.standardError.contains("--overwrite"), "\(refused.standardError)")
        let run = try vfx("run", "job.json", "--overwrite", "--quiet", in: folder)
        #expect(run.status == 0 && run.standardError.isEmpty, "\(run.standardError)")
        #expect(try folder.data("out.mkv") == made)
    }

    @Test(arguments: [
        ("{\"version\": 1, \"input\": {\"file\": \"in.mkv\", \"speed\": 2}}", "unknown key 'speed'", Int32(64)),
        ("{\"version\": 3}", "the job has version 3; this program reads version 1", 64), ("", "not valid JSON", 64),
    ])
    func aWrongJobIsRefused(text: String, words: String, status: Int32) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data(text.utf8), to: "job.json")
        let run = try vfx("run", "job.json", in: folder)
        #expect(run.status == status && run.standardError.contains("job.json: "), "\(run.standardError)")
        #expect(run.standardError.contains(words), "\(run.standardError)")
        #expect(folder.contents == ["job.json"])
        let missing = try vfx("run", "none.json", in: folder)
        #expect(missing.status == 66 && missing.standardError.contains("none.json"), "\(missing.standardError)")
    }

    /// What prints a job makes nothing, so what makes something else is refused.
    @Test(arguments: [
        (["upscale", "in.png", "-o", "out.png", "--scale", "2"], "--print-job applies to videos"),
        (["blur", "in.y4m", "-o", "out.mkv", "--estimate"], "leave out --estimate"),
        (["blur", "a.y4m", "b.y4m", "-o", "out"], "give only one input"),
        (["slomo", "in.y4m", "-o", "out.mkv", "--phases", "0.5,0.2"], "phases must ascend"),
        (["smooth", "in.y4m", "-o", "out.mkv", "--cut-threshold", "0.5"], "--cut-threshold applies to effects"),
    ])
    func aJobIsPrintedOrRefused(arguments: [String], words: String) throws {
        let folder = try TemporaryFolder()
        let run = try vfx(arguments + ["--print-job"], in: folder)
        #expect(run.status == 64 && run.standardError.contains(words), "\(run.standardError)")
        #expect(run.standardOutput.isEmpty && folder.contents.isEmpty)
    }
}
