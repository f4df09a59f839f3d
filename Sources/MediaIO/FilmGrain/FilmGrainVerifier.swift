import CLibAV
package import FrameCore

/// Checks that a finished file stores the film grain that its encoders were given: an encoder that cannot read its table
/// reports no error.
package struct FilmGrainVerifier {
    let path: String
    /// The output's name as the user gave it, for errors.
    let output: String
    let table: FilmGrainTable

    /// - Parameters:
    ///   - path: the path of the file.
    ///   - output: the output's name as the user gave it, for errors.
    ///   - table: what the file should store, as AV1 allows it.
    package init(path: String, output: String, table: FilmGrainTable) {
        self.path = path
        self.output = output
        self.table = table
    }

    /// Compares the grain of each keyframe, and so of each segment's first frame.
    ///
    /// - Parameter stop: checked for each keyframe.
    /// - Throws: `FrameError` if a keyframe has other grain than the table states, or none.
    package func check(_ stop: StopFlag = StopFlag()) throws(FrameError) {
        do {
            var count = 0
            try FilmGrainReader(path).keyFrames { frame in
                try stop.check()
                try check(frame)
                count += 1
            }
            guard count > 0 else {
                throw FrameError(
                    .encode, "no keyframe of the written file can be decoded, so it was not kept",
                    at: .init(file: output))
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
