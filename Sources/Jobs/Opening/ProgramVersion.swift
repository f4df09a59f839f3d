/// The version of the program. A job that is continued, or divided among machines, needs the same one everywhere.
package enum ProgramVersion {
    package static let text = "0.1.0"
}
