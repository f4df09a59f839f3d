import Foundation
import FrameCore
import MediaIO
import Testing

@Suite struct OutputFolderTests {
    @Test func aFolderInTheWayIsNotRemovedUnlessItIsOurs() throws {
        let folder = try TemporaryFolder()
        let part = folder("board.part")
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: part + "/precious.txt"))
        for refused in [{ _ = try OutputFolder(folder("board")) }, { try OutputFolder.check(folder("board")) }] {
            #expect(try refusal(refused).message.contains("in the way"))
        }
        #expect(try bytes(of: part + "/precious.txt") == [1])
        // A run that was killed leaves at least a list behind.
        try FileManager.default.removeItem(atPath: part)
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
        for name in [OutputFolder.listName, "a.txt"] { _ = try folder.write([], to: "board.part/\(name)") }
        let next = try OutputFolder(folder("board"))
        try next.write("b.txt", [2])
        try next.publish()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder("board")).sorted() == [".vfx-files", "b.txt"])
        #expect(try refusal { try OutputFolder.check("-") }.message.contains("standard output"))
    }

    @Test func foldersKeepWhatIsNotTheirs() throws {
        let folder = try TemporaryFolder()
        let path = folder("board")
        let first = try OutputFolder(path)
        try first.write("a.txt", [1])
        try first.write("sub/b.txt", [2])
        #expect(throws: FrameError.self) { try first.write("../c.txt", [3]) }
        #expect(throws: FrameError.self) { try first.write("a.txt", [3]) }
        #expect(folder.contents == ["board.part"])
        try first.publish()
        #expect(folder.contents == ["board"])
        #expect(throws: FrameError.self) { try OutputFolder(path) }
        try Data([9]).write(to: URL(fileURLWithPath: path + "/mine.txt"))
        let second = try OutputFolder(path, overwrites: true)
        try second.write("c.txt", [4])
        try second.publish()
        let left = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(left == [".vfx-files", "c.txt", "mine.txt"])
        let third = try OutputFolder(path, overwrites: true)
        try third.write("mine.txt", [5])
        #expect(try refusal { try third.publish() }.message.contains("not written by vfx"))
        third.discard()
        #expect(try bytes(of: path + "/mine.txt") == [9])
        #expect(try bytes(of: path + "/c.txt") == [4])
        #expect(folder.contents == ["board"])
    }
}
