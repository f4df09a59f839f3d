internal import FrameCore

/// Objects that a caller refers to by 64-bit numbers: the position in the table and a generation, so that a number is
/// never valid again once its object has been removed.
final class HandleTable<Object: Sendable>: Sendable {
    private struct Slot: Sendable {
        var generation: UInt32 = 1
        var object: Object?
    }

    private struct Contents: Sendable {
        var slots: [Slot] = []
        var free: [Int] = []
    }

    /// The maximum number of objects at once.
    static var capacity: Int { 1 << 24 }

    /// Distinguishes the handles of different tables: 0 to 255.
    private let kind: UInt64
    private let contents = Lock(Contents())

    init(kind: UInt8) { self.kind = UInt64(kind) << 24 }

    /// Returns the handle of a new object; nil if the table is full.
    func insert(_ object: Object) -> UInt64? {
        contents.withLock { contents in
            let position: Int
            if let free = contents.free.popLast() {
                position = free
            } else {
                guard contents.slots.count < Self.capacity else { return nil }
                position = contents.slots.count
                contents.slots.append(Slot())
            }
            contents.slots[position].object = object
            return UInt64(contents.slots[position].generation) << 32 | kind | UInt64(position)
        }
    }

    /// Returns the object behind a handle; nil if there is none (any more).
    func object(_ handle: UInt64) -> Object? {
        contents.withLock { contents in
            position(of: handle, in: contents).flatMap { contents.slots[$0].object }
        }
    }

    /// Removes an object and returns it; nil if there is none (any more).
    func remove(_ handle: UInt64) -> Object? {
        contents.withLock { contents in
            guard let position = position(of: handle, in: contents) else { return nil }
            defer {
                contents.slots[position].object = nil
                // A slot whose generations are used up stays empty.
                if contents.slots[position].generation < .max {
                    contents.slots[position].generation += 1
                    contents.free.append(position)
                }
            }
            return contents.slots[position].object
        }
    }

    private func position(of handle: UInt64, in contents: Contents) -> Int? {
        let position = Int(handle & 0xFF_FFFF)
        guard handle & 0xFF00_0000 == kind, contents.slots.indices.contains(position),
            UInt64(contents.slots[position].generation) == handle >> 32
        else { return nil }
        return position
    }
}
