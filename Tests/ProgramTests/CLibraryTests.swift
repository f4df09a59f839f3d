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

    /// The modules of this package that the library is made of, with the folders of their sources.
    private static let modules = [
        "CVFX": "Sources/CVFX", "Pipeline": "Sources/Pipeline", "FrameEffects": "Sources/FrameEffects",
        "Motion": "Sources/Motion", "Imaging": "Sources/Imaging",
        "FrameCore": "Sources/FrameCore", "Kernels": "Kernels",
    ]
    /// The modules of other packages.
    private static let otherModules = ["DequeModule", "ContainersPreview", "InternalCollectionsUtilities"]

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
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
        var objects: [String] = []
        func add(_ name: String, of module: String) { objects.append("\"\(build.path)/\(module).build/\(name).o\"") }
        // The build folder may still contain objects of deleted sources. Swift's objects lie in one folder, C's do not.
        for (module, folder) in Self.modules {
            // Scripts that train networks, and their C code, are not part of the module.
            for source in Self.files(below: root.appendingPathComponent(folder)) where !source.contains("/Training/") {
                if source.hasSuffix(".swift") { add(String(source.split(separator: "/").last ?? ""), of: module) }
                if source.hasSuffix(".c") { add(source, of: module) }
            }
        }
        for module in Self.otherModules {
            for file in Self.files(below: build.appendingPathComponent("\(module).build")) where file.hasSuffix(".o") {
                add(String(file.dropLast(2)), of: module)
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

    /// Returns the paths of all files in a folder, relative to it.
    private static func files(below folder: URL) -> [String] {
        (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []).sorted()
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
