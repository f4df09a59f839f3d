import Foundation
import TestSupport
import Testing

/// Programs in C that call the library, compiled with gcc. The library is linked here from the objects of this build;
/// `.ci/c-library` runs the same programs with the installed library and with Address Sanitizer.
@Suite struct CLibraryTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CVFX")
    private static let sources = tests.deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CVFX")
    private static var hasCompilers: Bool { (try? tool("sh", ["-c", "command -v gcc && command -v swiftc"])) != nil }

    /// The module of the interface and all below it.
    private static let modules = [
        "CVFX", "Pipeline", "FrameEffects", "Motion", "Imaging", "Checkpoints", "FrameCore", "Kernels", "DequeModule",
        "ContainersPreview", "InternalCollectionsUtilities",
    ]

    /// The program of the article makes the frames of `vfx slomo`; wrong input to every function is refused; 16 threads and
    /// 10,000 handles do no harm.
    @Test(.enabled(if: hasCompilers, "gcc and swiftc are needed")) func programsInC() throws {
        let folder = try TemporaryFolder()
        try link(into: folder)
        let article = try String(
            contentsOf: Self.sources.appendingPathComponent("CVFX.docc/CallingTheEffectsFromC.md"), encoding: .utf8)
        let code = try #require(
            article.components(separatedBy: "```c\n").dropFirst().first?.components(separatedBy: "\n```").first)
        #expect(code.split(separator: "\n").count >= 40)
        try compile(folder.write(Data(code.utf8), to: "slow.c"), to: "slow", in: folder)
        let frames = try clip(8)
        _ = try folder.write(Y4M.encode(frames), to: "in.y4m")
        _ = try folder.write(Data(frames.map(Y4M.payload).joined()), to: "in.yuv")
        let made = try vfx("slomo", "in.y4m", "-o", "expected.y4m", "--factor", "2", in: folder)
        try #require(made.status == 0, "\(made.standardError)")
        _ = try tool("sh", ["-c", "cd '\(folder.url.path)' && ./slow 64 48 <in.yuv >out.yuv"])
        let expected = try #require(try Y4M.decode(folder.data("expected.y4m")))
        #expect(expected.frames.count == 15)
        #expect(try folder.data("out.yuv") == Data(expected.frames.joined()))

        for name in ["misuse", "threads", "handles"] {
            try compile(Self.tests.appendingPathComponent("\(name).c").path, to: name, in: folder)
            #expect(try tool(folder.path(name), []).hasSuffix("done\n"), "\(name)")
        }
    }

    private func link(into folder: TemporaryFolder) throws {
        let build = ProgramRun.locate("vfx").deletingLastPathComponent()
        var objects: [String] = []
        for module in Self.modules {
            let place = build.appendingPathComponent("\(module).build")
            let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                if file.pathExtension == "o" { objects.append("\"\(file.path)\"") }
            }
        }
        let list = try folder.write(Data(objects.joined(separator: "\n").utf8), to: "objects")
        _ = try tool(
            "swiftc",
            [
                "-use-ld=lld", "-emit-library", "-toolchain-stdlib-rpath", "-o", folder.path("libvfx.so"), "@" + list,
                "-Xlinker", "--version-script=\(Self.sources.path)/vfx.map", "-Xlinker", "-soname=libvfx.so",
                "-Xlinker", "-z", "-Xlinker", "nodelete", "-Xlinker", "-z", "-Xlinker", "defs",
            ])
    }

    private func compile(_ source: String, to name: String, in folder: TemporaryFolder) throws {
        _ = try tool(
            "gcc",
            [
                "-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-I", "\(Self.sources.path)/include",
                "-I", Self.tests.path, source, "-o", folder.path(name), "-L", folder.url.path, "-lvfx", "-lpthread",
                "-Wl,-rpath,\(folder.url.path)",
            ])
    }
}
