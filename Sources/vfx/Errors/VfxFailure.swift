/// An error on its way out of the program: the sentence to print and the status to leave with.
struct VfxFailure: Error {
    var message: String
    var code: VfxExitCode

    init(_ message: String, _ code: VfxExitCode) {
        self.message = message
        self.code = code
    }
}
