internal import FrameCore

/// The reason why a session, configuration or set of parameters was rejected, or why processing failed.
public struct FrameProcessorError: Error, Sendable {
    /// The kind of error, with the raw values of the system that this API is modelled on.
    ///
    /// The session remains usable after any of them; the message names the value and what is allowed.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number of the code.
        public let rawValue: Int
        /// Creates a code from a number; all numbers are accepted.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Kept for source compatibility; not thrown, because every error here has a known cause.
        public static let unknownError = Code(rawValue: -19730)
        /// A configuration's width or height is outside the allowed dimensions.
        public static let unsupportedResolution = Code(rawValue: -19731)
        /// Processing was requested without an active session. Start one and repeat the call.
        public static let sessionNotStarted = Code(rawValue: -19732)
        /// `startSession` was called while a session was active; that session is not affected.
        public static let sessionAlreadyActive = Code(rawValue: -19733)
        /// Kept for source compatibility; not thrown.
        public static let fatalError = Code(rawValue: -19734)
        /// Kept for source compatibility; no failure here ends a session.
        public static let sessionLevelError = Code(rawValue: -19735)
        /// The effect could not be set up, or the configuration is not one of this package's.
        public static let initializationFailed = Code(rawValue: -19736)
        /// A frame's pixel format or size does not match the session or the call's source frame.
        public static let unsupportedInput = Code(rawValue: -19737)
        /// Memory for a frame could not be allocated. The call can be repeated.
        public static let memoryAllocationFailure = Code(rawValue: -19738)
        /// There is no revision with this number.
        public static let revisionNotSupported = Code(rawValue: -19739)
        /// The frames could not be processed; the error's cause gives the reason.
        public static let processingError = Code(rawValue: -19740)
        /// A parameter is out of range, counts do not match, a buffer is used twice or is in use by another call, or
        /// the parameters do not belong to the session's effect.
        public static let invalidParameterError = Code(rawValue: -19741)
        /// A presentation time is invalid or out of order, or the call does not follow the previous one as its
        /// submission mode requires.
        public static let invalidFrameTiming = Code(rawValue: -19742)
        /// Kept for source compatibility; not thrown, because nothing is downloaded here.
        public static let assetDownloadFailed = Code(rawValue: -19743)
    }

    /// The kind of error; branch on this, not on the message.
    public var code: Code
    /// A single sentence without a full stop that names the value and what is allowed.
    public var message: String
    /// The underlying error, if any.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: the kind of error.
    ///   - message: a single sentence without a full stop that names the value and what is allowed.
    ///   - cause: the underlying error, if any.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension FrameProcessorError: CustomStringConvertible {
    /// The message, followed by the cause in parentheses.
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension FrameProcessorError {
    /// Converts an error that an effect has thrown.
    ///
    /// - Parameter fallback: the code for errors that have no corresponding code.
    package init(failing fallback: Code, _ error: any Error) {
        if let error = error as? FrameProcessorError {
            self = error
            return
        }
        let code: Code =
            switch (error as? FrameError)?.code {
            case .allocation?: .memoryAllocationFailure
            case .unsupportedSize?: .unsupportedResolution
            case .unsupportedFormat?: .unsupportedInput
            default: fallback
            }
        self.init(code, (error as? FrameError)?.message ?? "\(error)", cause: error)
    }
}
