import CLibAV
import FrameCore

extension SideData {
    /// Kinds that describe a particular encoding of a frame and are wrong after re-encoding, or that are stored
    /// elsewhere.
    private static let droppedFrameKinds: Set<UInt32> = Set(
        [
            AV_FRAME_DATA_MOTION_VECTORS, AV_FRAME_DATA_VIDEO_ENC_PARAMS, AV_FRAME_DATA_DISPLAYMATRIX,
            AV_FRAME_DATA_FILM_GRAIN_PARAMS, AV_FRAME_DATA_DOVI_RPU_BUFFER, AV_FRAME_DATA_DOVI_METADATA,
            AV_FRAME_DATA_REGIONS_OF_INTEREST, AV_FRAME_DATA_DETECTION_BBOXES,
        ].map(\.rawValue))

    /// Kinds that apply to a single frame and must not be repeated.
    private static let onePictureKinds: Set<UInt32> = Set(
        [
            AV_FRAME_DATA_A53_CC, AV_FRAME_DATA_GOP_TIMECODE, AV_FRAME_DATA_S12M_TIMECODE,
            AV_FRAME_DATA_SEI_UNREGISTERED,
        ].map(\.rawValue))

    /// Copies the side data of a frame; `code` of the entries is libav's `AVFrameSideDataType`.
    init(frame: AVFrame) {
        var entries: [Entry] = []
        for index in 0..<Int(frame.nb_side_data) {
            guard let data = frame.side_data?[index]?.pointee, let bytes = data.data,
                !Self.droppedFrameKinds.contains(data.type.rawValue)
            else { continue }
            entries.append(
                Entry(
                    kind: String(c: av_frame_side_data_name(data.type)), code: Int32(data.type.rawValue),
                    bytes: Array(UnsafeBufferPointer(start: bytes, count: data.size)),
                    isOfThisPictureOnly: Self.onePictureKinds.contains(data.type.rawValue)))
        }
        self.init(entries)
    }

    /// Adds the entries to a frame that is sent to an encoder.
    func attach(to frame: UnsafeMutablePointer<AVFrame>) {
        for entry in entries {
            let type = AVFrameSideDataType(rawValue: UInt32(bitPattern: entry.code))
            guard let data = av_frame_new_side_data(frame, type, entry.bytes.count) else { continue }
            data.pointee.data?.update(from: entry.bytes, count: entry.bytes.count)
        }
    }

    subscript(code: UInt32) -> [UInt8]? { entries.first { $0.code == Int32(bitPattern: code) }?.bytes }
}

/// Reads and writes side data of a whole stream; `code` of the entries is libav's `AVPacketSideDataType`.
enum StreamSideData {
    /// The kinds that remain true after re-encoding, and the frame side data with the same meaning.
    private static let kept: [(stream: AVPacketSideDataType, frame: AVFrameSideDataType?)] = [
        (AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
        (AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
        (AV_PKT_DATA_SPHERICAL, AV_FRAME_DATA_SPHERICAL),
        (AV_PKT_DATA_STEREO3D, AV_FRAME_DATA_STEREO3D),
        (AV_PKT_DATA_ICC_PROFILE, AV_FRAME_DATA_ICC_PROFILE),
    ]

    /// Returns the side data that the container states, supplemented by that of the first frame.
    static func read(_ stream: UnsafeMutablePointer<AVStream>, firstFrame: SideData) -> SideData {
        var entries: [SideData.Entry] = []
        for (type, frameType) in kept {
            let bytes = bytes(of: stream, type) ?? frameType.flatMap { firstFrame[$0.rawValue] }
            guard let bytes else { continue }
            entries.append(
                .init(kind: String(c: av_packet_side_data_name(type)), code: Int32(type.rawValue), bytes: bytes))
        }
        return SideData(entries)
    }

    static func displayMatrix(_ stream: UnsafeMutablePointer<AVStream>) -> [Int32]? {
        guard let bytes = bytes(of: stream, AV_PKT_DATA_DISPLAYMATRIX), bytes.count >= 36 else { return nil }
        return bytes.withUnsafeBytes { raw in (0..<9).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
        }
    }

    static func bytes(of stream: UnsafeMutablePointer<AVStream>, _ type: AVPacketSideDataType) -> [UInt8]? {
        var size = 0
        guard let data = av_stream_get_side_data(stream, type, &size), size > 0 else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }

    static func all(of stream: UnsafeMutablePointer<AVStream>) -> [(type: AVPacketSideDataType, bytes: [UInt8])] {
        (0..<Int(stream.pointee.nb_side_data)).compactMap { index in
            let entry = stream.pointee.side_data[index]
            return entry.data.map { (entry.type, Array(UnsafeBufferPointer(start: $0, count: entry.size))) }
        }
    }

    static func add(
        _ bytes: [UInt8], _ type: AVPacketSideDataType, to stream: UnsafeMutablePointer<AVStream>
    ) throws(FrameError) {
        guard !bytes.isEmpty else { return }
        let data = try allocated(av_stream_new_side_data(stream, type, bytes.count), "stream side data")
        data.update(from: bytes, count: bytes.count)
    }
}

/// Mastering display and content light level, formatted as encoder parameters.
struct HDRMetadata {
    let mastering: AVMasteringDisplayMetadata?
    /// Maximum content light level and maximum frame-average light level in cd/m²; nil when not stated.
    let lightLevel: (maximum: UInt32, average: UInt32)?

    init(_ sideData: SideData) {
        mastering = Self.load(sideData[AV_PKT_DATA_MASTERING_DISPLAY_METADATA.rawValue])
        let light: AVContentLightMetadata? = Self.load(sideData[AV_PKT_DATA_CONTENT_LIGHT_LEVEL.rawValue])
        lightLevel = light.map { ($0.MaxCLL, $0.MaxFALL) }
    }

    /// The mastering display for x264 and x265: chromaticities in steps of 0.00002, luminances in steps of 0.0001
    /// cd/m².
    var masteringInSteps: String? { text { scale, value in String(Int64((value * Double(scale)).rounded())) } }

    /// The mastering display for SVT-AV1: decimal chromaticities, and luminances in cd/m².
    var masteringInNumbers: String? { text { _, value in "\(value)" } }

    var lightLevelText: String? { lightLevel.map { "\($0.maximum),\($0.average)" } }

    private func text(_ number: (_ scale: Int, _ value: Double) -> String) -> String? {
        guard let m = mastering, m.has_primaries != 0, m.has_luminance != 0 else { return nil }
        func pair(_ p: (AVRational, AVRational)) -> String {
            "(\(number(50_000, av_q2d(p.0))),\(number(50_000, av_q2d(p.1))))"
        }
        let p = m.display_primaries
        return "G\(pair(p.1))B\(pair(p.2))R\(pair(p.0))WP\(pair(m.white_point))"
            + "L(\(number(10_000, av_q2d(m.max_luminance))),\(number(10_000, av_q2d(m.min_luminance))))"
    }

    private static func load<T>(_ bytes: [UInt8]?) -> T? {
        guard let bytes, bytes.count >= MemoryLayout<T>.size else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: T.self) }
    }
}
