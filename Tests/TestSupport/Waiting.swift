public import Foundation

/// Waits until `condition` holds, however busy the machine is: a test that waits for an event must not bet on how soon it
/// comes.
///
/// - Returns: false when it still does not hold after half an hour, which is taken for never.
public func waitUntil(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(1800)
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(5000)
    }
    return try condition()
}

extension Process {
    /// Whether the started program has taken signal `number` into its own hands by blocking it.
    public func blocksSignal(_ number: Int32) -> Bool { hasSignal(number, in: "SigBlk") }

    /// Whether signal `number` was sent and nobody has taken it yet.
    public func hasPendingSignal(_ number: Int32) -> Bool { hasSignal(number, in: "ShdPnd") }

    /// Looks into one of the masks that the kernel shows.
    private func hasSignal(_ number: Int32, in field: String) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
        let mask = line.flatMap {
            UInt64($0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces), radix: 16)
        }
        return (mask ?? 0) >> UInt64(number - 1) & 1 == 1
    }
}
