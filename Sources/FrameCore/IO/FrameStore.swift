import Kernels

/// Frames kept for later: the newest ones in memory, and the others, once they exceed a bound, in an unnamed file.
///
/// Samples come back as they were. Space in the file is used again once a frame is released.
package final class FrameStore: Sendable {
    /// The size of the frames in memory, unless ``leastFrames`` are larger.
    package static let memoryBytes = 128 << 20
    /// The number of frames that stay in memory whatever their size.
    private static let leastFrames = 4

    private enum Place {
        case memory(PixelBuffer, byteCount: Int)
        case file(UnnamedFile, offset: Int64)
    }

    private struct Contents {
        var places: [Int: Place] = [:]
        var nextNumber = 0
        /// The frames in memory, the oldest first.
        var resident: [Int] = []
        var residentBytes = 0
        var file: UnnamedFile?
        var fileSize: Int64 = 0
        /// Free places in the file by the size of what fits in them.
        var free: [Int: [Int64]] = [:]
    }

    private let folder: String?
    private let memoryBytes: Int
    private let contents = Lock(Contents())

    /// - Parameter folder: the folder for the unnamed file, which is created when it is needed; nil keeps all frames in
    ///   memory.
    package convenience init(folder: String? = nil) { self.init(folder: folder, memoryBytes: Self.memoryBytes) }

    /// - Parameters:
    ///   - folder: as above.
    ///   - memoryBytes: the size of the frames in memory, unless four frames are larger.
    package init(folder: String?, memoryBytes: Int) {
        self.folder = folder
        self.memoryBytes = memoryBytes
    }

    /// The largest number of frames of one size in memory.
    package static func mostInMemory(bytesPerFrame: Int) -> Int {
        max(leastFrames, memoryBytes / max(1, bytesPerFrame))
    }

    /// Keeps a frame until what is returned is released.
    ///
    /// - Throws: `FrameError` if an older frame cannot be written to the folder.
    package func keep(_ frame: Frame) throws(FrameError) -> StoredFrame {
        let buffer = frame.buffer
        let bytes = PixelLayout(format: buffer.format, width: buffer.width, height: buffer.height).byteCount
        var hasMoved = false
        // Freed frames stay in the heap otherwise, between those that are alive.
        defer { if hasMoved { vfx_return_free_memory() } }
        let number = try contents.withLock { contents throws(FrameError) in
            while let folder, contents.resident.count >= Self.leastFrames,
                contents.residentBytes + bytes > memoryBytes
            {
                try moveOldest(&contents, folder)
                hasMoved = true
            }
            let number = contents.nextNumber
            contents.nextNumber += 1
            contents.places[number] = .memory(buffer, byteCount: bytes)
            contents.resident.append(number)
            contents.residentBytes += bytes
            return number
        }
        return StoredFrame(frame, number: number, of: self)
    }

    /// The number of frames that are kept.
    package var frameCount: Int { contents.withLock { $0.places.count } }

    /// The number of frames in the file.
    package var fileFrameCount: Int {
        contents.withLock { $0.places.count - $0.resident.count }
    }

    /// Writes the oldest frame in memory to the file.
    private func moveOldest(_ contents: inout Contents, _ folder: String) throws(FrameError) {
        guard let number = contents.resident.first, case .memory(let buffer, let bytes)? = contents.places[number]
        else { return }
        do {
            let file = try contents.file ?? UnnamedFile(in: folder)
            contents.file = file
            let size = buffer.packedByteCount
            let offset = contents.free[size]?.last ?? contents.fileSize
            try file.write(buffer, at: offset)
            if contents.free[size]?.popLast() == nil { contents.fileSize += Int64(size) }
            contents.places[number] = .file(file, offset: offset)
        } catch {
            throw FrameError(
                .output, "a temporary file for frames that exceed the memory bound cannot be written in this folder",
                at: .init(file: folder), cause: error)
        }
        contents.resident.removeFirst()
        contents.residentBytes -= bytes
    }

    fileprivate func buffer(_ number: Int, of head: FrameHeader) throws(FrameError) -> PixelBuffer {
        let place = contents.withLock { $0.places[number] }
        switch place {
        case .memory(let buffer, _)?: return buffer
        case .file(let file, let offset)?:
            var buffer = try head.makeBuffer()
            do {
                try file.read(&buffer, at: offset)
            } catch {
                throw FrameError(
                    .input, "the temporary file for frames cannot be read again",
                    at: .init(file: folder, time: head.time), cause: error)
            }
            return buffer
        case nil: throw FrameError(.input, "a kept frame was released", at: .init(time: head.time))
        }
    }

    fileprivate func release(_ number: Int, packedBytes: Int) {
        contents.withLock { contents in
            switch contents.places.removeValue(forKey: number) {
            case .memory(_, let bytes)?:
                contents.resident.removeAll { $0 == number }
                contents.residentBytes -= bytes
            case .file(_, let offset)?: contents.free[packedBytes, default: []].append(offset)
            case nil: break
            }
        }
    }
}

/// A frame in a ``FrameStore``, kept as long as this exists.
package final class StoredFrame: Sendable {
    private let head: FrameHeader
    private let number: Int
    private let packedBytes: Int
    private let store: FrameStore

    fileprivate init(_ frame: Frame, number: Int, of store: FrameStore) {
        head = FrameHeader(frame)
        packedBytes = frame.buffer.packedByteCount
        self.number = number
        self.store = store
    }

    deinit { store.release(number, packedBytes: packedBytes) }

    /// Returns the frame, from memory or from the file.
    ///
    /// - Throws: `FrameError` if the file cannot be read, or if there is no memory for the samples.
    package func frame() throws(FrameError) -> Frame { head.frame(try store.buffer(number, of: head)) }
}
