import FrameCore
import Foundation
import MediaIO
import Testing

@Suite struct OutputRuleTests {
    private func stream() throws -> VideoStreamDescription {
        try description(of: try clip(ticks: [0]), rate: Rational(25, 1))
    }

    @Test func theNameAppearsOnlyAtTheEnd() throws {
        let folder = try TemporaryFolder()
        let sink = try openSink(folder("a.mp4"), stream: try stream(), source: nil)
        for frame in try clip(ticks: Array(0..<5)) { try sink.write(frame) }
        #expect(folder.contents == ["a.mp4.part"])
        try sink.finish()
        #expect(folder.contents == ["a.mp4"])
        sink.cancel()
        #expect(folder.contents == ["a.mp4"])
    }

    @Test(arguments: ["a.mp4", "a.y4m", "p_%d.png"])
    func cancellingLeavesNothing(name: String) throws {
        let folder = try TemporaryFolder()
        let sink = try openSink(folder(name), stream: try stream(), source: nil)
        for frame in try clip(ticks: Array(0..<5)) { try sink.write(frame) }
        #expect(!folder.contents.isEmpty)
        sink.cancel()
        #expect(folder.contents.isEmpty)
        #expect(throws: FrameError.self) { try sink.write(try clip(ticks: [9])[0]) }
    }

    @Test(arguments: ["a.mkv", "a.y4m", "p_%d.png"])
    func ofTwoWritersOfOneOutputTheSecondIsRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let frames = try clip(ticks: Array(0..<3))
        let first = try openSink(folder(name), stream: try stream(), source: nil)
        try first.write(frames[0])
        try first.write(frames[1])
        let error = try refusal {
            let second = try openSink(folder(name), stream: try stream(), source: nil, options: .init(overwrites: true))
            try second.write(frames[0])
        }
        #expect(error.code == .output && error.message.contains("another run"))
        try first.write(frames[2])
        try first.finish()
        #expect(!folder.contents.contains { $0.hasSuffix(".part") })
        #expect(try read(folder(name.replacing("%d", with: "1"))).frames.count == (name.hasPrefix("p") ? 1 : 3))
    }

    @Test func aFolderThatIsBeingWrittenIsRefused() throws {
        let folder = try TemporaryFolder()
        let first = try OutputFolder(folder("board"))
        try first.write("a.txt", [1, 2])
        let error = try refusal { _ = try OutputFolder(folder("board"), overwrites: true) }
        #expect(error.code == .output && error.message.contains("another run"))
        try first.publish()
        #expect(folder.contents == ["board"])
        #expect(try bytes(of: folder("board/a.txt")) == [1, 2])
    }

    @Test func lettingGoLeavesNothing() throws {
        let folder = try TemporaryFolder()
        var sink: (any MediaSink)? = try openSink(folder("a.mkv"), stream: try stream(), source: nil)
        try sink?.write(try clip(ticks: [0])[0])
        sink = nil
        #expect(folder.contents.isEmpty)
    }

    @Test(arguments: ["a.mp4", "p_%d.png"])
    func existingOutputNeedsPermission(name: String) throws {
        let folder = try TemporaryFolder()
        let first = folder(name.replacing("%d", with: "1"))
        _ = try folder.write([1, 2, 3], to: name.replacing("%d", with: "1"))
        let error = try refusal { _ = try openSink(folder(name), stream: try stream(), source: nil) }
        #expect(error.code == .output && error.message.contains("--overwrite"))
        #expect(try bytes(of: first) == [1, 2, 3])
        let sink = try openSink(folder(name), stream: try stream(), source: nil, options: .init(overwrites: true))
        try sink.write(try clip(ticks: [0])[0])
        #expect(try bytes(of: first) == [1, 2, 3])
        try sink.finish()
        #expect(try bytes(of: first).count > 3)
    }

    @Test(arguments: ["a.mkv", "a.y4m"]) func whatCameMeanwhileStays(name: String) throws {
        let folder = try TemporaryFolder()
        let sink = try openSink(folder(name), stream: try stream(), source: nil)
        for frame in try clip(ticks: Array(0..<3)) { try sink.write(frame) }
        _ = try folder.write([1, 2, 3], to: name)
        let error = try refusal { try sink.finish() }
        #expect(error.code == .output && error.message.contains("--overwrite"))
        #expect(folder.contents == [name])
        #expect(try bytes(of: folder(name)) == [1, 2, 3])
    }

    @Test(arguments: ["a.mkv", "p_%d.png"]) func aLinkInThePartsPlaceIsNotFollowed(name: String) throws {
        let folder = try TemporaryFolder()
        let other = try folder.write([1, 2, 3], to: "other")
        let part = name == "a.mkv" ? "a.mkv.part" : "times.json.part"
        try FileManager.default.createSymbolicLink(atPath: folder(part), withDestinationPath: other)
        let error = try refusal {
            let sink = try openSink(folder(name), stream: try stream(), source: nil)
            for frame in try clip(ticks: Array(0..<3)) { try sink.write(frame) }
            try sink.finish()
        }
        #expect(error.code == .output)
        #expect(try bytes(of: other) == [1, 2, 3])
    }

    /// An existing image is reported at the start, not after 499 images have been written.
    @Test func aLaterPictureIsMetBeforeTheWork() throws {
        let folder = try TemporaryFolder()
        for name in ["p_0x500.png", "p_500.jpg", "p_050.png", "q_500.png", "p_0000.png"] {
            _ = try folder.write([1], to: name)
        }
        let pattern = folder("p_%04d.png")
        _ = try openSink(pattern, stream: try stream(), source: nil)
        _ = try folder.write([1], to: "p_0500.png")
        let error = try refusal { _ = try openSink(pattern, stream: try stream(), source: nil) }
        #expect(error.message.contains("--overwrite") && error.location.file == folder("p_0500.png"))
        #expect(throws: Never.self) {
            _ = try openSink(pattern, stream: try stream(), source: nil, options: .init(overwrites: true))
        }
    }

    @Test func theInputIsNeverTheOutput() throws {
        let folder = try TemporaryFolder()
        try write(try clip(ticks: [0, 1]), to: folder("a.mp4"))
        try FileManager.default.linkItem(atPath: folder("a.mp4"), toPath: folder("hard.mp4"))
        try FileManager.default.createSymbolicLink(atPath: folder("soft.mp4"), withDestinationPath: folder("a.mp4"))
        let before = try bytes(of: folder("a.mp4"))
        for name in ["a.mp4", "hard.mp4", "soft.mp4", "./a.mp4"] {
            let reader = try MediaReader(folder("a.mp4"))
            let error = try refusal {
                _ = try openSink(
                    folder(name), stream: reader.stream, source: reader.sourceDescription,
                    options: .init(overwrites: true))
            }
            #expect(error.message.contains("input itself"))
        }
        #expect(try bytes(of: folder("a.mp4")) == before)
    }

    @Test(arguments: [
        ("missing/a.mp4", "no directory"), ("a.xyz", "not a known extension"), ("noextension", "no extension"),
        ("a.ogv", "ogv files are not written"), ("a.png", "number pattern"),
        ("p_%d_%d.png", "number pattern"),
    ])
    func impossibleOutputsAreNamed(name: String, says: String) throws {
        let folder = try TemporaryFolder()
        let error = try refusal { _ = try openSink(folder(name), stream: try stream(), source: nil) }
        #expect(error.description.contains(says))
        #expect(error.location.file == folder(name))
        #expect(folder.contents.isEmpty)
    }

    @Test func aPictureWithoutItsNameTakesTheNewOnesBack() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write([1, 2, 3], to: "p_1.png")
        let sink = try openSink(
            folder("p_%d.png"), stream: try stream(), source: nil, options: .init(overwrites: true))
        for frame in try clip(ticks: Array(0..<4)) { try sink.write(frame) }
        try FileManager.default.createDirectory(atPath: folder("p_3.png"), withIntermediateDirectories: false)
        let error = try refusal { try sink.finish() }
        #expect(error.code == .output && error.location.file == folder("p_3.png"))
        #expect(folder.contents == ["p_1.png", "p_3.png"])
    }

    @Test func aDirectoryIsNoOutput() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("d.mp4"), withIntermediateDirectories: false)
        #expect(
            try refusal { _ = try openSink(folder("d.mp4"), stream: try stream(), source: nil) }.message.contains(
                "directory"))
    }

    @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
    func aDirectoryWithoutPermissionIsNamed() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder("locked"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        let error = try refusal { _ = try openSink(folder("locked/a.mp4"), stream: try stream(), source: nil) }
        #expect(error.message.contains("cannot be written"))
    }

    @Test(arguments: ["matroska", "mp4", "yuv4mpegpipe"])
    func aFullDiskIsNamed(format: String) throws {
        let frames = try clip(.yuv420p8, 256, 256, ticks: Array(0..<8))
        let error = try refusal {
            try write(frames, to: "/dev/full", options: .init(format: format, crf: format == "yuv4mpegpipe" ? nil : 0))
        }
        #expect(error.code == .output && error.message == "the disk is full")
    }

    @Test func nullTakesFramesAndWritesNothing() throws {
        let sink = try openSink("/dev/null", stream: try stream(), source: nil, options: .init(format: "null"))
        try sink.write(try clip(ticks: [0])[0])
        try sink.finish()
        #expect(sink.containerName == "null")
    }

    @Test(arguments: [
        (MediaWriterOptions(crf: 99), "0 to 51"), (MediaWriterOptions(preset: "warp"), "ultrafast"),
        (MediaWriterOptions(codec: .prores), "does not support"),
        (MediaWriterOptions(pixelFormat: "yuv410p"), "does not accept"),
        (MediaWriterOptions(pixelFormat: "yuvx"), "not a pixel format"),
        (MediaWriterOptions(format: "xyz"), "not an output format"),
        (MediaWriterOptions(codec: .ffv1, crf: 3), "ffv1"),
    ])
    func wrongSettingsNameWhatIsAllowed(options: MediaWriterOptions, says: String) throws {
        let folder = try TemporaryFolder()
        let error = try refusal {
            _ = try openSink(folder("a.mp4"), stream: try stream(), source: nil, options: options)
        }
        #expect(error.description.contains(says))
        #expect(folder.contents.isEmpty)
    }

    @Test func framesMustFitTheOutput() throws {
        let folder = try TemporaryFolder()
        let sink = try openSink(folder("a.mkv"), stream: try stream(), source: nil)
        #expect(throws: FrameError.self) { try sink.write(try clip(.yuv420p8, 32, 32, ticks: [0])[0]) }
        #expect(folder.contents.isEmpty)
        let other = try openSink(folder("a.mkv"), stream: try stream(), source: nil)
        let frames = try clip(ticks: [3, 2, 1])
        #expect(throws: FrameError.self) { for frame in frames { try other.write(frame) } }
        #expect(folder.contents.isEmpty)
    }
}
