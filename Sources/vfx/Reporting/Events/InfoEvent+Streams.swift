internal import CommandLineCore
internal import FrameCore
internal import MediaIO

extension InfoEvent {
    /// A stream of a file.
    struct Stream: Encodable {
        /// The index in the container, counted from 0.
        let index: Int
        /// `video`, `cover_art`, `audio`, `subtitle`, `attachment` or `data`.
        let kind: String
        /// libavcodec's name of the codec.
        let codec: String
        /// The profile of the codec.
        let profile: String?
        /// The ISO 639 code of the language.
        let language: String?
        /// The title.
        let title: String?
        /// The dispositions that are set, such as `default`.
        let dispositions: [String]
        /// The bit rate in bits per second.
        let bitRate: Int?
        /// The duration of a tick in seconds.
        let timeBase: Rational?
        /// The time of the first packet.
        let startTime: MediaTime?
        /// The duration that the container states.
        let duration: MediaTime?
        /// The number of frames that the container states.
        let frameCount: Int?
        /// The tags of the stream, by name.
        let tags: NamedValues<String>
        /// The properties of a video stream or cover art; null for other kinds.
        let video: Video?
        /// The properties of an audio stream; null for other kinds.
        let audio: Audio?
        /// The properties of an attachment; null for other kinds.
        let attachment: Attachment?

        init(_ stream: MediaStreamInfo) {
            index = stream.index
            kind = stream.kind.rawValue.camelCaseWords(separatedBy: "_")
            codec = stream.codec
            profile = stream.profile
            language = stream.language
            title = stream.title
            dispositions = stream.dispositions
            bitRate = stream.bitRate
            timeBase = stream.timeBase
            startTime = stream.startTime
            duration = stream.duration
            frameCount = stream.frameCount
            tags = NamedValues(stream.metadata)
            video = stream.video.map(Video.init)
            audio = stream.audio.map(Audio.init)
            attachment = stream.kind == .attachment ? Attachment(stream) : nil
        }
    }

    /// The properties of an audio stream.
    struct Audio: Encodable {
        /// The number of channels.
        let channels: Int
        /// The channel layout, such as `stereo`.
        let layout: String
        /// The number of samples per second.
        let sampleRate: Int
        /// The sample format, such as `fltp`.
        let sampleFormat: String?

        init(_ audio: AudioStreamInfo) {
            channels = audio.channels
            layout = audio.layout
            sampleRate = audio.sampleRate
            sampleFormat = audio.sampleFormat
        }
    }

    /// The properties of a file that is attached.
    struct Attachment: Encodable {
        /// The name of the file.
        let fileName: String?
        /// The MIME type of the file.
        let mimeType: String?
        /// The size of the file in bytes.
        let size: Int?

        init(_ stream: MediaStreamInfo) {
            fileName = stream.metadata["filename"]
            mimeType = stream.metadata["mimetype"]
            size = stream.attachmentSize
        }
    }

    /// A chapter of a file.
    struct Chapter: Encodable {
        /// The time at which the chapter starts.
        let start: MediaTime
        /// The time at which the chapter ends.
        let end: MediaTime
        /// The title.
        let title: String?
        /// The tags of the chapter, by name.
        let tags: NamedValues<String>

        init(_ chapter: MediaChapter) {
            start = chapter.start
            end = chapter.end
            title = chapter.title
            tags = NamedValues(chapter.metadata)
        }
    }
}
