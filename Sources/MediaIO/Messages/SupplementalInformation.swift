import CLibAV
import FrameCore

/// Reads the supplemental enhancement information (SEI) of H.264.
enum SupplementalInformation {
    /// Returns the messages of ITU-T T.35 in an access unit.
    ///
    /// - Parameter lengthBytes: the number of bytes that state the length of a unit; 0 if units have start codes.
    static func registeredMessages(in unit: UnsafeBufferPointer<UInt8>, lengthBytes: Int) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for unit in NALUnits(unit, lengthBytes: lengthBytes) {
            let type = unit.bytes.first.map { $0 & 31 }
            // With start codes, the search for later units would go through the slices, and nothing that is looked for
            // follows the first.
            if lengthBytes == 0, let type, (1...5).contains(type) { break }
            if type == 6 { found += messages(in: unit.unescaped(after: 1)) }
        }
        return found
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
