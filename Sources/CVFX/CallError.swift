internal import CVFXInterface
internal import FrameCore
internal import FrameEffects
internal import Glibc

/// Why a function of the interface fails.
struct CallError: Error {
    var status: vfx_status
    /// One sentence without a full stop.
    var message: String

    init(_ status: Int, _ message: String) {
        self.status = vfx_status(status)
        self.message = message
    }

    /// Converts an error of the package.
    ///
    /// - Parameter isOfEffect: whether the effect itself has failed, which ends the stream.
    init(_ error: any Error, isOfEffect: Bool = false) {
        var status = VFX_ERROR_FAILED
        switch error {
        case let error as CallError:
            self = error
            return
        case is CancellationError:
            self.init(VFX_ERROR_HANDLE, "the stream was destroyed during the call")
            return
        case let error as FrameError:
            switch error.code {
            case .allocation: status = VFX_ERROR_MEMORY
            // Input is that of a file which an option names.
            case .invalidArgument where !isOfEffect, .input where !isOfEffect: status = VFX_ERROR_ARGUMENT
            case .unsupportedFormat, .unsupportedSize: status = isOfEffect ? status : VFX_ERROR_UNSUPPORTED
            default: break
            }
        case let error as FrameProcessorError:
            switch error.code {
            case .memoryAllocationFailure: status = VFX_ERROR_MEMORY
            case .unsupportedResolution, .unsupportedInput: status = isOfEffect ? status : VFX_ERROR_UNSUPPORTED
            case .invalidParameterError where !isOfEffect: status = VFX_ERROR_ARGUMENT
            default: break
            }
        default: break
        }
        self.init(status, "\(error)")
    }
}

/// The text of the last error of each thread.
enum LastError {
    /// Nil if the system has no more keys; the texts are lost then.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { free($0) } == 0 ? key : nil
    }()

    private static let none = StaticString("")

    /// The text for the calling thread, valid until ``text`` is set on this thread.
    static var pointer: UnsafePointer<CChar>? {
        let text = key.flatMap { pthread_getspecific($0) }.map { UnsafeRawPointer($0) }
        return (text ?? UnsafeRawPointer(none.utf8Start)).assumingMemoryBound(to: CChar.self)
    }

    static func set(_ text: String) {
        guard let key else { return }
        free(pthread_getspecific(key))
        pthread_setspecific(key, strdup(text))
    }
}

/// Calls `body` and converts its errors to a status and a text.
func status(of body: () throws -> Int) -> vfx_status {
    do {
        return vfx_status(try body())
    } catch {
        let error = CallError(error)
        LastError.set(error.message)
        return error.status
    }
}
