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

    @Test func aFailedStoreLeavesNothing() throws {
        try LocalFile.write([1], to: folder)
        let cache = FileCache(directory: folder)
        #expect(throws: FrameError.self) { try cache.store([1], as: "a") }
        #expect(LocalFile.read(folder, atMost: 10) == [1])
    }
}
