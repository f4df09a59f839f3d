/// What went wrong, in a sentence that names the value and what is allowed, and where.
public struct FrameError: Error, Sendable {
    /// Family of the error; a struct so that families can be added without breaking a caller's `switch`.
    public struct Code: Sendable, Hashable {
        private enum Kind: String {
            case invalidArgument, unsupportedFormat, unsupportedSize, allocation, input, output, decode, encode
        }
        private let kind: Kind

        /// A value outside what the callee allows.
        public static let invalidArgument = Code(kind: .invalidArgument)
        /// A pixel format, codec or container that is not handled.
        public static let unsupportedFormat = Code(kind: .unsupportedFormat)
        /// A picture size outside the supported range.
        public static let unsupportedSize = Code(kind: .unsupportedSize)
        /// Memory could not be had.
        public static let allocation = Code(kind: .allocation)
        /// The input cannot be opened or read.
        public static let input = Code(kind: .input)
        /// The output cannot be created or written.
        public static let output = Code(kind: .output)
        /// Coded data cannot be decoded.
        public static let decode = Code(kind: .decode)
        /// Frames cannot be encoded.
        public static let encode = Code(kind: .encode)

        /// The name of the code, as `invalidArgument`.
        public var name: String { kind.rawValue }
    }

    /// Where in the input or output the error arose; parts that are unknown are nil.
    public struct Location: Sendable, Hashable {
        /// Path or URL, as the caller gave it.
        public var file: String?
        /// Index of the stream, counted from 0.
        public var stream: Int?
        /// Presentation time in the stream.
        public var time: MediaTime?

        /// A place; parts left out are unknown.
        public init(file: String? = nil, stream: Int? = nil, time: MediaTime? = nil) {
            self.file = file
            self.stream = stream
            self.time = time
        }
    }

    /// Family of the error, to decide by.
    public var code: Code
    /// One sentence without a full stop.
    public var message: String
    /// Where it arose.
    public var location: Location
    /// The error underneath, where there is one.
    public var cause: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: its family.
    ///   - message: one sentence without a full stop that names the value and what is allowed.
    ///   - location: where it arose.
    ///   - cause: the error underneath.
    public init(_ code: Code, _ message: String, at location: Location = Location(), cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.location = location
        self.cause = cause
    }
}

extension FrameError: CustomStringConvertible {
    /// Place, message and cause in one line.
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
