import CLibAV
import FrameCore

/// Checks that a finished file stores the film grain that its encoders were given: an encoder that cannot read its table
/// says nothing.
struct FilmGrainVerifier {
    let path: String
    /// The output's name as the user gave it, for errors.
    let output: String
    let table: FilmGrainTable

    /// Compares the grain of each keyframe, and so of each segment's first frame.
    ///
    /// - Parameter stop: checked for each keyframe.
    /// - Throws: `FrameError` if a keyframe has other grain than the table states, or none.
    func check(_ stop: StopFlag) throws(FrameError) {
        do {
            try FilmGrainReader(path).keyFrames { frame in
                try stop.check()
                try check(frame)
            }
        } catch let error as FrameError {
            throw error
        } catch {
            throw FrameError(
                .output, "the written file cannot be read back, so it was not kept", at: .init(file: output),
                cause: error)
        }
    }

    private func check(_ frame: FilmGrainReader.Frame) throws(FrameError) {
        let wanted = table.grain(at: table.origin + frame.time)
        let isRight =
            switch (wanted, frame.grain) {
            case (nil, nil): true
            case (let wanted?, let found?): found.isStored(as: wanted)
            case (let wanted?, nil): wanted.isNothing
            case (nil, let found?): found.isNothing
            }
        guard isRight else {
            throw FrameError(
                .encode, "the encoder has not stored the film grain that it was given, so the file was not kept",
                at: .init(file: output, time: table.origin + frame.time))
        }
    }
}
