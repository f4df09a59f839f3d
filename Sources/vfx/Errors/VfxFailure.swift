/// An error on its way out of the program: the sentence to print and the status to leave with.
package struct VfxFailure: Error, Equatable {
    package var message: String
    package var code: VfxExitCode

    package init(_ message: String, _ code: VfxExitCode) {
        self.message = message
        self.code = code
    }
}
