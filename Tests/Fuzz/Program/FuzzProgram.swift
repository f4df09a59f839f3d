import CLibFuzzer
import Glibc

/// `vfx-fuzz TARGET [libFuzzer's options] [corpus folders]`; without arguments it lists the targets.
@main
enum FuzzProgram {
    /// libFuzzer calls a C function, which cannot capture the target.
    nonisolated(unsafe) private static var target = FuzzTarget.all[0]

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, let found = FuzzTarget.all.first(where: { $0.name == arguments[1] }) else {
            for target in FuzzTarget.all { print(target.name) }
            exit(arguments.count > 1 ? 64 : 0)
        }
        target = found
        // The target's own limit comes first, so that a limit on the command line takes precedence.
        let passed = [arguments[0], "-max_len=\(found.longestInput)"] + arguments.dropFirst(2)
        var count = Int32(passed.count)
        var words: [UnsafeMutablePointer<CChar>?] = passed.map { strdup($0) } + [nil]
        words.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            let status = LLVMFuzzerRunDriver(&count, &start) { data, size in
                FuzzProgram.target.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
            exit(status)
        }
    }
}
