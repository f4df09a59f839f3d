/// An error with its location and a one-sentence message that names the value and what is allowed.
public struct FrameError: Error, Sendable {
    /// The category of an error; a struct rather than an enum, so that new categories do not break a caller's `switch`.
    public struct Code: Sendable, Hashable {
        private enum Kind: String {
            case invalidArgument, unsupportedFormat, unsupportedSize, allocation, input, output, decode, encode
        }
        private let kind: Kind

        /// A value is outside the allowed range.
        public static let invalidArgument = Code(kind: .invalidArgument)
        /// A pixel format, codec or container is not supported.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// A frame size is outside the supported range.
        public static let unsupportedSize = Code(kind: .unsupportedSize)
        /// Memory could not be allocated.
        public static let allocation = Code(kind: .allocation)
        /// The input cannot be opened or read.
        public static let input = Code(kind: .input)
        /// The output cannot be created or written.
        public static let output = Code(kind: .output)
        /// Coded data cannot be decoded.
        public static let decode = Code(kind: .decode)
        /// Frames cannot be encoded.
        public static let encode = Code(kind: .encode)

        /// The name of the code, such as `invalidArgument`.
        public var name: String { kind.rawValue }
    }

    /// Where in the input or output the error occurred; unknown parts are nil.
    public struct Location: Sendable, Hashable {
        /// Path or URL as the caller specified it.
        public var file: String?
        /// Index of the stream, counted from 0.
        public var stream: Int?
        /// Presentation time in the stream.
        public var time: MediaTime?

        /// Creates a location; omitted parts are unknown.
        public init(file: String? = nil, stream: Int? = nil, time: MediaTime? = nil) {
            self.file = file
            self.stream = stream
            self.time = time
        }
    }

    /// The category of the error; branch on this, not on the message.
    public var code: Code
    /// A single sentence without a full stop.
    public var message: String
    /// Where the error occurred.
    public var location: Location
    /// The underlying error, if any.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the category of the error.
    ///   - message: a single sentence without a full stop that names the value and what is allowed.
    ///   - location: where the error occurred.
    ///   - cause: the underlying error, if any.
    public init(_ code: Code, _ message: String, at location: Location = Location(), cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.cause = cause
    }
}

extension FrameError: CustomStringConvertible {
    /// Location, message and cause on one line.
    public var description: String {
        var text = ""
        if let file = location.file { text += "\(file): " }
        if let stream = location.stream { text += "stream \(stream): " }
        if let time = location.time { text += "at \(time) s: " }
        text += message
        if let cause { text += " (\(cause))" }
        return text
    }
}
