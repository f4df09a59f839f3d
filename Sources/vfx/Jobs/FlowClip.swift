internal import Checkpoints
internal import FrameCore
internal import MediaIO
internal import Pipeline

extension FlowSettings {
    /// The motion of all neighbouring frames of a clip, as a chain of one effect.
    ///
    /// - Throws: ``FrameError`` for an output that holds one pair only.
    func clipWork(_ options: ConversionOptions) throws(FrameError) -> ConversionWork {
        if FlowPairOutput.needsPair(output) {
            throw FrameError(
                .invalidArgument,
                "\(output.output) holds one pair; name it by a second picture or by --at, or write the whole clip to a video or to pictures such as flow_%05d.png"
            )
        }
        let isVideo = !SingleFile.isPicture(output.output), measures = output.format == "null"
        let painter = FlowPainter(self, isVideo: isVideo, isBlank: measures)
        let pass = OpticalFlowPass(
            options: options, neighbour: isBackward ? .previous : .next,
            output: { try painter.stream(over: $0) },
            makeFrame: { try painter.frame($0.frame, $0.flow, resets: $0.resets) })
        var work = ConversionWork(chain: EffectChain(pass), audio: .carry)
        work.settings = jobSettings
        work.check = { try Self.checkSize($0.stream, file: input.input) }
        // Those of the two queues and the pair at work, and what is drawn of them.
        work.frameBytes = { 12 * $0.bytesPerFrame }
        work.pixelFormat = { isVideo ? playableFormat($0) : nil }
        work.notes = { reader in
            painter.notes(over: reader.stream.format) + (isVideo || measures ? [] : Self.turnNote(reader))
        }
        work.tell = { reporter, report, notes in
            reporter.finishedFlow(report, output: output.output, maximum: painter.maximum, notes: notes)
        }
        return work
    }

    /// The pixel format that players take, for the codecs that are made for players; nil leaves the choice to the writer.
    private func playableFormat(_ source: VideoStreamDescription) -> String? {
        let suits: [MediaWriterOptions.Codec?] = [nil, .h264, .hevc, .av1, .vp9]
        let name = output.output.lowercased()
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        let container = output.format ?? ending
        let isPlayable = ["mp4", "mov", "mkv", "matroska", "webm", "m4v"].contains(container)
        guard suits.contains(output.codec), isPlayable, source.width % 2 == 0, source.height % 2 == 0 else {
            return nil
        }
        return "yuv420p"
    }
}
