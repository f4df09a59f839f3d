import FrameCore

/// The version of the program. A job that is continued, or divided among machines, needs the same one everywhere.
package enum ProgramVersion {
    package static let text = "0.1.0"

    /// The version, and which instruction sets this processor offers and which of them is used.
    package static var details: String {
        """
        \(text)
        instruction set: \(ExecutionContext.serial.instructionSet) (available: \(KernelTable.levelNames.joined(separator: ", ")))
        """
    }
}
