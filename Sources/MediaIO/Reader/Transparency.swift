import CLibAV
import FrameCore

extension Demuxer {
    /// Whether the frames may hold transparency, given the first of them.
    ///
    /// Decoders return alpha for all frames with a palette, for GIF and for most APNG, though few of them use it, and opaque
    /// frames are processed faster and encoded smaller without. So all frames of these are looked at, up to the first that
    /// is not opaque. It costs less than an effect.
    func mayBeTransparent(_ first: AVFrame, _ options: MediaReaderOptions) -> Bool {
        let isUnlikely =
            ["gif", "apng"].contains(MediaStreamInfo.codecName(video)) || first.format == AV_PIX_FMT_PAL8.rawValue
        guard isUnlikely, isReopenable || isSequence, first.isOpaque else { return true }
        var options = options
        (options.keepsOtherStreams, options.keyFramesOnly) = (false, false)
        do throws(FrameError) {
            let demuxer = try Demuxer(OpenedInput(input, options: options), options: options)
            let decoder = try VideoDecoder(demuxer, options: options)
            while true {
                switch try decoder.next() {
                case .frame(let box): if !box.pointer.pointee.isOpaque { return true }
                case .lost: break
                case .end: return false
                }
            }
        } catch {
            return true
        }
    }
}
