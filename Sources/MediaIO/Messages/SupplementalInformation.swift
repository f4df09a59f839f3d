import CLibAV
import FrameCore

/// Reads the supplemental enhancement information (SEI) of H.264.
enum SupplementalInformation {
    /// Returns the messages of ITU-T T.35 in an access unit.
    ///
    /// - Parameter lengthBytes: the number of bytes that state the length of a unit; 0 if units have start codes.
    static func registeredMessages(in unit: UnsafeBufferPointer<UInt8>, lengthBytes: Int) -> [[UInt8]] {
        var found: [[UInt8]] = []
        forEachUnit(in: unit, lengthBytes: lengthBytes) { content in
            if content.first.map({ $0 & 31 == 6 }) ?? false { found += messages(in: unescaped(content.dropFirst())) }
        }
        return found
    }

    private static func forEachUnit(
        in unit: UnsafeBufferPointer<UInt8>, lengthBytes: Int, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void
    ) {
        var place = 0
        if lengthBytes > 0 {
            while place + lengthBytes < unit.count {
                let length = unit[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
                place += lengthBytes
                guard length <= unit.count - place else { return }
                body(unit[place..<place + length])
                place += length
            }
            return
        }
        var start: Int?
        while place + 2 < unit.count {
            if unit[place] == 0, unit[place + 1] == 0, unit[place + 2] == 1 {
                if let start { body(unit[start..<place]) }
                place += 3
                // Nothing that is looked for follows the first slice.
                if place < unit.count, (1...5).contains(unit[place] & 31) { return }
                start = place
            } else {
                place += 1
            }
        }
        if let start { body(unit[start...]) }
    }

    /// Removes the bytes that keep zeros apart.
    private static func unescaped(_ content: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var bytes: [UInt8] = [], zeros = 0
        for byte in content {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            bytes.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return bytes
    }

    private static func messages(in bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = [], place = 0
        /// Reads a number that is a sum of bytes, of which only the last is below 255.
        func number() -> Int? {
            var sum = 0
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                sum += Int(byte)
                if byte < 255 { return sum }
            }
            return nil
        }
        // The last byte ends the unit.
        while place + 2 < bytes.count {
            guard let type = number(), let size = number(), size <= bytes.count - place else { return found }
            if type == 4 { found.append(Array(bytes[place..<place + size])) }
            place += size
        }
        return found
    }
}
