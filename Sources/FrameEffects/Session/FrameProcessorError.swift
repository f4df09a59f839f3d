internal import FrameCore

/// Why a session, a configuration or a set of parameters was refused, or why processing failed.
public struct FrameProcessorError: Error, Sendable {
    /// Kind of the error; the raw values are those of the system this API is modelled on.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let unknownError = Code(rawValue: -19730)
        /// A size outside what the configuration supports.
        public static let unsupportedResolution = Code(rawValue: -19731)
        /// Processing was asked for before `startSession` or after `endSession`.
        public static let sessionNotStarted = Code(rawValue: -19732)
        /// `startSession` was called twice.
        public static let sessionAlreadyActive = Code(rawValue: -19733)
        public static let fatalError = Code(rawValue: -19734)
        /// Processing failed in a way that ends the session.
        public static let sessionLevelError = Code(rawValue: -19735)
        public static let initializationFailed = Code(rawValue: -19736)
        /// A frame's pixel format or size does not fit.
        public static let unsupportedInput = Code(rawValue: -19737)
        public static let memoryAllocationFailure = Code(rawValue: -19738)
        public static let revisionNotSupported = Code(rawValue: -19739)
        /// These frames could not be processed; the session goes on.
        public static let processingError = Code(rawValue: -19740)
        public static let invalidParameterError = Code(rawValue: -19741)
        /// A presentation time is out of order.
        public static let invalidFrameTiming = Code(rawValue: -19742)
        /// Kept for source compatibility; nothing is downloaded here.
        public static let assetDownloadFailed = Code(rawValue: -19743)
    }

    public var code: Code
    /// One sentence without a full stop that names the value and what is allowed.
    public var message: String
    public var cause: (any Error)?

    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension FrameProcessorError: CustomStringConvertible {
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
