internal import FrameCore
internal import MediaIO
internal import Pipeline

/// What `vfx info` found in a file.
struct InfoResult {
    var input: String
    var info: MediaInfo
    var isFast: Bool
    /// The video that was opened; nil when there is none or none of it decodes.
    var stream: VideoStreamDescription?
    var analysis: ClipAnalysis?
    var notes: [String] = []
    var damage = DamageReport()

    init(input: String, info: MediaInfo, isFast: Bool) {
        self.input = input
        self.info = info
        self.isFast = isFast
    }

    var exitCode: VfxExitCode { damage.isEmpty ? .success : .doneWithDamage }
}
