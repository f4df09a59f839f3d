import CLibAV
import FrameCore

extension SideData {
    /// Kinds that are true only of the source's encoding, or that are read in another way: film grain, the rotation and
    /// Dolby Vision. All others reach the writer, which keeps them or notes their loss.
    private static let consumedFrameKinds: Set<UInt32> = Set(
        [
            AV_FRAME_DATA_MOTION_VECTORS, AV_FRAME_DATA_VIDEO_ENC_PARAMS, AV_FRAME_DATA_DISPLAYMATRIX,
            AV_FRAME_DATA_FILM_GRAIN_PARAMS, AV_FRAME_DATA_DOVI_RPU_BUFFER, AV_FRAME_DATA_DOVI_METADATA,
            AV_FRAME_DATA_REGIONS_OF_INTEREST, AV_FRAME_DATA_DETECTION_BBOXES,
        ].map(\.rawValue))

    /// Kinds that libav's encoders and muxers write, most of them once for the whole stream.
    static let keptFrameKinds: Set<UInt32> = Set(
        [
            AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_SPHERICAL,
            AV_FRAME_DATA_STEREO3D, AV_FRAME_DATA_ICC_PROFILE,
        ].map(\.rawValue))

    /// Kinds that apply to a single frame and must not be repeated.
    private static let onePictureKinds: Set<UInt32> = Set(
        [
            AV_FRAME_DATA_A53_CC, AV_FRAME_DATA_GOP_TIMECODE, AV_FRAME_DATA_S12M_TIMECODE,
            AV_FRAME_DATA_SEI_UNREGISTERED,
        ].map(\.rawValue))

    /// Copies the side data of a frame; `code` of the entries is libav's `AVFrameSideDataType`. The metadata of HDR10+
    /// has the form of a message of ITU-T T.35.
    init(frame: AVFrame) {
        var entries: [Entry] = []
        for index in 0..<Int(frame.nb_side_data) {
            guard let data = frame.side_data?[index]?.pointee, let bytes = data.data,
                !Self.consumedFrameKinds.contains(data.type.rawValue)
            else { continue }
            let content: [UInt8]
            switch data.type {
            case AV_FRAME_DATA_DYNAMIC_HDR_PLUS: content = Self.hdr10PlusMessage(data)
            case AV_FRAME_DATA_PANSCAN where Self.isCentred(data): continue
            default: content = Array(UnsafeBufferPointer(start: bytes, count: data.size))
            }
            guard !content.isEmpty || data.size == 0 else { continue }
            entries.append(
                Entry(
                    kind: String(c: av_frame_side_data_name(data.type)), code: Int32(data.type.rawValue),
                    bytes: content, isOfThisPictureOnly: Self.onePictureKinds.contains(data.type.rawValue)))
        }
        self.init(entries)
    }

    private static func hdr10PlusMessage(_ data: AVFrameSideData) -> [UInt8] {
        guard data.size >= MemoryLayout<AVDynamicHDRPlus>.size, let bytes = data.data else { return [] }
        return bytes.withMemoryRebound(to: AVDynamicHDRPlus.self, capacity: 1) { metadata in
            let most = Int(vfx_hdr10plus_most_bytes)
            return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
                count = buffer.baseAddress.map { vfx_hdr10plus_message(metadata, $0) } ?? 0
            }
        }
    }

    /// Whether a pan-scan window, which every frame of MPEG-2 has, is in the centre, where players put it anyway.
    private static func isCentred(_ data: AVFrameSideData) -> Bool {
        guard data.size >= MemoryLayout<AVPanScan>.size, let bytes = data.data else { return true }
        return bytes.withMemoryRebound(to: AVPanScan.self, capacity: 1) { window in
            let place = window.pointee.position
            return [place.0, place.1, place.2].allSatisfy { $0.0 == 0 && $0.1 == 0 }
        }
    }

    /// The rotation that the coded stream itself states, where the container is silent.
    static func displayMatrix(of frame: UnsafePointer<AVFrame>) -> [Int32]? {
        guard let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX)?.pointee, data.size >= 36,
            let bytes = data.data
        else { return nil }
        let raw = UnsafeRawPointer(bytes)
        return (0..<9).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self) }
    }

    /// Whether user data of a frame is the text in which x264 and x265 state their settings, by its UUID.
    static func isEncoderSettings(_ bytes: [UInt8]) -> Bool {
        let x264: [UInt8] = [
            0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
        ]
        let x265: [UInt8] = [
            0x2C, 0xA2, 0xDE, 0x09, 0xB5, 0x17, 0x47, 0xDB, 0xBB, 0x55, 0xA4, 0xFE, 0x7F, 0xC2, 0xFC, 0x4E,
        ]
        return bytes.starts(with: x264) || bytes.starts(with: x265)
    }

    /// Adds the entries that encoders write to a frame that is sent to one.
    func attach(to frame: UnsafeMutablePointer<AVFrame>) {
        for entry in entries where Self.keptFrameKinds.contains(UInt32(bitPattern: entry.code)) {
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

    /// Kinds that are true only of the source's encoding, or that are read in another way.
    private static let consumed: Set<UInt32> = Set(
        [
            AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_DOVI_CONF, AV_PKT_DATA_CPB_PROPERTIES, AV_PKT_DATA_NEW_EXTRADATA,
            AV_PKT_DATA_PARAM_CHANGE, AV_PKT_DATA_QUALITY_STATS, AV_PKT_DATA_MPEGTS_STREAM_ID, AV_PKT_DATA_PALETTE,
            AV_PKT_DATA_SKIP_SAMPLES, AV_PKT_DATA_PRFT, AV_PKT_DATA_ENCRYPTION_INIT_INFO, AV_PKT_DATA_ENCRYPTION_INFO,
            AV_PKT_DATA_A53_CC, AV_PKT_DATA_DYNAMIC_HDR10_PLUS, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL,
        ].map(\.rawValue))

    /// Returns the names of the kinds of a stream's side data that are neither kept nor read in another way.
    static func unknownKinds(_ sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]) -> [String] {
        let known = consumed.union(kept.map(\.stream.rawValue))
        return sideData.filter { !known.contains($0.type.rawValue) }
            .map { entry in
                av_packet_side_data_name(entry.type).map { String(c: $0) } ?? "side data \(entry.type.rawValue)"
            }
    }

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
