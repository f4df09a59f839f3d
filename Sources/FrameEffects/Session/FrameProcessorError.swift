internal import FrameCore

/// Why a session, a configuration or a set of parameters was refused, or why processing failed.
public struct FrameProcessorError: Error, Sendable {
    /// Kind of the error; the raw values are those of the system this API is modelled on.
    ///
    /// The session goes on after each of them; the message names the value and what is allowed.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number of the code.
        public let rawValue: Int
        /// The code of a number; any is taken.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Kept for source compatibility; every error here has a cause that is known.
        public static let unknownError = Code(rawValue: -19730)
        /// A configuration's width or height lies outside its minimum and maximum dimensions.
        public static let unsupportedResolution = Code(rawValue: -19731)
        /// Processing was asked for before `startSession` or after `endSession`. Start one and call again.
        public static let sessionNotStarted = Code(rawValue: -19732)
        /// `startSession` was called while a session is active, which stays as it is.
        public static let sessionAlreadyActive = Code(rawValue: -19733)
        /// Kept for source compatibility; does not occur here.
        public static let fatalError = Code(rawValue: -19734)
        /// Kept for source compatibility; no failure here ends a session.
        public static let sessionLevelError = Code(rawValue: -19735)
        /// The effect of a configuration could not be set up, or the configuration is not one of this package.
        public static let initializationFailed = Code(rawValue: -19736)
        /// A frame's pixel format or size is not that of the session, or not that of the call's source frame.
        public static let unsupportedInput = Code(rawValue: -19737)
        /// Memory for a picture could not be had. The call can be made again.
        public static let memoryAllocationFailure = Code(rawValue: -19738)
        /// There is no revision of this number.
        public static let revisionNotSupported = Code(rawValue: -19739)
        /// These frames could not be processed; the error's cause says why.
        public static let processingError = Code(rawValue: -19740)
        /// A parameter is out of range, counts do not agree, a buffer is given twice or in flight in another call, or the
        /// parameters are not those of the session's effect.
        public static let invalidParameterError = Code(rawValue: -19741)
        /// A presentation time is invalid or out of order, or a call does not stand to the one before as it says.
        public static let invalidFrameTiming = Code(rawValue: -19742)
        /// Kept for source compatibility; nothing is downloaded here.
        public static let assetDownloadFailed = Code(rawValue: -19743)
    }

    /// Kind of the error, to decide by.
    public var code: Code
    /// One sentence without a full stop that names the value and what is allowed.
    public var message: String
    /// The error underneath, where there is one.
    public var cause: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: its kind.
    ///   - message: one sentence without a full stop that names the value and what is allowed.
    ///   - cause: the error underneath.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension FrameProcessorError: CustomStringConvertible {
    /// The message, and the cause in brackets.
    public var description: String { cause.map { "\(message) (\($0))" } ?? message }
}

extension FrameProcessorError {
    /// What an effect threw, in this API's words.
    ///
    /// - Parameter fallback: code for what has none of its own.
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
