import FrameCore
import Foundation
import Testing

@Suite final class LocalFileTests {
    private let folder = NSTemporaryDirectory() + "/local-file-tests-\(UUID().uuidString)"

    init() throws { try LocalFile.makeDirectory(folder) }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test func whatIsWrittenIsRead() throws {
        let path = folder + "/a", bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try LocalFile.write(bytes, to: path)
        #expect(LocalFile.read(path, atMost: 100_000) == bytes)
        #expect(LocalFile.read(path, atMost: 99_999) == nil)
        #expect(LocalFile(path)?.size == 100_000)
        #expect(LocalFile("file:" + path)?.isRegular == true)
        try LocalFile.write([], to: folder + "/empty")
        #expect(LocalFile.read(folder + "/empty", atMost: 0) == [])
    }

    @Test func existingFilesAreNotOverwritten() throws {
        try LocalFile.write([1], to: folder + "/a")
        #expect(throws: SystemError.self) { try LocalFile.write([2], to: folder + "/a") }
        #expect(LocalFile.read(folder + "/a", atMost: 10) == [1])
    }

    /// Names of up to 255 bytes are allowed, and what belongs to a file has no longer one.
    @Test(arguments: ["x", "ä", "日", "👩‍👩‍👧"], [240, 250, 251, 252, 255]) func companionsHaveShortNames(
        letter: String, length: Int
    ) throws {
        let count = (length - 4) / letter.utf8.count
        let name = String(repeating: letter, count: count) + ".mkv"
        let other = String(repeating: letter, count: count - 1) + (letter.utf8.count == 1 ? "y" : letter) + ".mp4"
        let part = LocalFile.companion(of: folder + "/" + name, suffix: ".part")
        #expect(LocalFile.directory(of: part) == folder && part.hasSuffix(".part"))
        #expect((part.split(separator: "/").last ?? "").utf8.count <= 255)
        if name.utf8.count <= 250 { #expect(part == folder + "/" + name + ".part") }
        try LocalFile.write([1], to: part)
        #expect(LocalFile.companion(of: folder + "/" + other, suffix: ".part") != part)
        #expect(LocalFile.companion(of: name, suffix: ".part") == String(part.dropFirst(folder.count + 1)))
    }

    @Test func linksAndFoldersAreNotRead() throws {
        try LocalFile.write([1, 2], to: folder + "/a")
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: folder + "/a")
        #expect(LocalFile.read(folder + "/link", atMost: 10) == nil)
        #expect(LocalFile.read(folder, atMost: 1 << 20) == nil)
        #expect(LocalFile.read(folder + "/absent", atMost: 10) == nil)
    }

    @Test func foldersAreMadeWithTheirParents() throws {
        let deep = folder + "/x/y/z"
        try LocalFile.makeDirectory(deep)
        try LocalFile.makeDirectory(deep)
        #expect(LocalFile(deep)?.isDirectory == true)
        try LocalFile.write([1], to: folder + "/file")
        #expect(throws: SystemError.self) { try LocalFile.makeDirectory(folder + "/file") }
        #expect(throws: SystemError.self) { try LocalFile.makeDirectory(folder + "/file/below") }
    }

    /// A name that begins like a URL is taken as a file name, also when the folder already exists.
    @Test func folderNamesAreTakenLiterally() throws {
        let path = folder + "/file:cache"
        try LocalFile.makeDirectory(path)
        try LocalFile.makeDirectory(path)
        #expect(LocalFile.names(in: folder) == ["file:cache"])
    }
}

@Suite final class SameFileTests {
    private let folder = NSTemporaryDirectory() + "/same-file-tests-\(UUID().uuidString)"
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test func otherSpellingsAndLinksAreTheSameFile() throws {
        try LocalFile.makeDirectory(folder + "/below")
        // Neither exists yet.
        #expect(LocalFile.isSame(folder + "/a", folder + "/./a"))
        #expect(LocalFile.isSame("file:" + folder + "/a", folder + "/below/../a"))
        #expect(!LocalFile.isSame(folder + "/a", folder + "/b"))
        try LocalFile.write([1], to: folder + "/a")
        #expect(symlink("a", folder + "/soft") == 0 && link(folder + "/a", folder + "/hard") == 0)
        #expect(LocalFile.isSame(folder + "/soft", folder + "/a"))
        #expect(LocalFile.isSame(folder + "/hard", folder + "/a"))
        #expect(!LocalFile.isSame(folder + "/hard", folder + "/b"))
    }
}

@Suite final class FileCacheTests {
    private let folder = NSTemporaryDirectory() + "/file-cache-tests-\(UUID().uuidString)"
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test func whatIsStoredIsReadUntilItIsRemoved() throws {
        let cache = FileCache(directory: folder)
        #expect(cache.read("a") == nil)
        try cache.removeAll()
        try cache.store([1, 2, 3], as: "a")
        try cache.store([4], as: "a")
        #expect(cache.read("a") == [4])
        #expect(LocalFile.names(in: folder) == ["a.cached"])
        try cache.removeAll()
        #expect(cache.read("a") == nil)
        #expect(LocalFile(folder) == nil)
    }

    @Test func otherFilesAreLeftAlone() throws {
        let cache = FileCache(directory: folder)
        try cache.store([1], as: "a")
        try LocalFile.write([9], to: folder + "/other")
        try cache.removeAll()
        #expect(LocalFile.names(in: folder) == ["other"])
    }

    /// A damaged cache must not end the process: a sparse file of a terabyte is a miss.
    @Test func hugeFilesAreNotRead() throws {
        let cache = FileCache(directory: folder)
        try cache.store([1], as: "a")
        #expect(truncate(folder + "/a.cached", 1 << 40) == 0)
        #expect(cache.read("a") == nil)
    }

    /// Sets when a file was last used.
    private func setUse(_ key: String, _ seconds: Int) {
        let time = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        utimensat(AT_FDCWD, folder + "/\(key).cached", time, 0)
    }

    @Test func theLeastRecentlyUsedFilesMakeRoom() throws {
        let cache = FileCache(directory: folder, byteLimit: 1000)
        for (index, key) in ["a", "b", "c", "d"].enumerated() {
            try cache.store([UInt8](repeating: 1, count: 240), as: key)
            setUse(key, 1000 + index)
        }
        #expect(LocalFile.names(in: folder)?.count == 4)
        // Used now, so that "b" and "c" are the oldest: one of them would leave more than nine tenths.
        #expect(cache.read("a") != nil)
        try cache.store([UInt8](repeating: 1, count: 240), as: "e")
        #expect(LocalFile.names(in: folder)?.sorted() == ["a.cached", "d.cached", "e.cached"])
        // What another process has stored counts once this one measures again.
        let other = FileCache(directory: folder, byteLimit: 300)
        try other.store([UInt8](repeating: 1, count: 200), as: "f")
        #expect(LocalFile.names(in: folder) == ["f.cached"])
    }

    @Test func filesAboveTheLimitAreNotStored() throws {
        let cache = FileCache(directory: folder, byteLimit: 10)
        try cache.store([1], as: "a")
        try cache.store([UInt8](repeating: 1, count: 11), as: "b")
        #expect(LocalFile.names(in: folder) == ["a.cached"])
    }

    @Test func incompleteFilesAreRemovedOnceTheyAreOld() throws {
        let cache = FileCache(directory: folder, byteLimit: 10)
        try LocalFile.makeDirectory(folder)
        for (name, age) in [("x.cached.1.00", 7200), ("y.cached.2.00", 60)] {
            try LocalFile.write([1], to: folder + "/" + name)
            let time = [timespec](repeating: timespec(tv_sec: Glibc.time(nil) - age, tv_nsec: 0), count: 2)
            utimensat(AT_FDCWD, folder + "/" + name, time, 0)
        }
        try cache.store([1], as: "a")
        #expect(LocalFile.names(in: folder)?.sorted() == ["a.cached", "y.cached.2.00"])
    }

    @Test func aFailedStoreLeavesNothing() throws {
        try LocalFile.write([1], to: folder)
        let cache = FileCache(directory: folder)
        #expect(throws: FrameError.self) { try cache.store([1], as: "a") }
        #expect(LocalFile.read(folder, atMost: 10) == [1])
    }
}
