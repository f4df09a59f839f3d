import Foundation
import Jobs
import Testing

/// Names that a shell would take apart, and schedulers too.
private let names = [
    "plain", "two words", "it's", "\"quoted\"", "$(touch broken)", "`touch broken`", "a\nb", "-n", "*", "a\\b", "%j",
    "",
]

/// Runs a program and returns its output.
private func run(_ words: [String], input: String = "", in directory: URL? = nil) throws -> (
    text: String, status: Int32
) {
    let process = Process(), output = Pipe(), source = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = source
    process.standardOutput = output
    process.currentDirectoryURL = directory
    try process.run()
    source.fileHandleForWriting.write(Data(input.utf8))
    try source.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
}

private func job(_ name: String, program: String = "echo") -> ScheduledJob {
    ScheduledJob(program: program, folder: name, name: "test", segments: 3, tasks: 3, threads: 1)
}

@Suite struct ScriptTests {
    @Test(arguments: names) func aShellTakesAWordLiterally(name: String) throws {
        #expect(try run(["sh"], input: "printf '%s|' \(ShellWord(name)) end").text == name + "|end|")
    }

    /// A program that prints its arguments takes the place of vfx.
    @Test(arguments: names.filter { !$0.isEmpty }) func scriptsPassNamesLiterally(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("s-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/" + name, program = folder.path + "/it's vfx"
        try FileManager.default.createDirectory(atPath: path + "/logs", withIntermediateDirectories: true)
        try Data("#!/bin/sh\nprintf '<%s>' \"$@\"\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        var scheduled = job(path, program: program)
        scheduled.input = name
        let expected = "<work><\(path)><--tasks><3><--input><\(name)>"
        let task = "SLURM_ARRAY_TASK_ID=2\n" + SlurmScript(scheduled).task
        #expect(try run(["sh"], input: task, in: folder).status == 0)
        #expect(try String(contentsOfFile: path + "/logs/task-2-0.log", encoding: .utf8) == expected)
        #expect(try run(["sh"], input: SlurmScript(scheduled).join, in: folder).status == 0)
        #expect(
            try String(contentsOfFile: path + "/logs/join.log", encoding: .utf8) == "<join><\(path)><--input><\(name)>")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/broken"))
    }

    @Test func aFailedTaskIsStartedAgainAFewTimes() {
        var scheduled = job("job")
        scheduled.retries = 5
        let script = SlurmScript(scheduled).task
        #expect(script.contains("-lt 5 ]") && script.contains("scontrol requeue"))
    }

    @Test func theJoinDoesNotDependOnSuccess() {
        var script = SlurmScript(job("job"))
        script.partition = "render farm"
        #expect(script.joinArguments(after: "17").contains("--dependency=afterany:17"))
        #expect(
            script.arrayArguments.contains("--array=0-2") && script.arrayArguments.contains("--partition=render farm"))
        var limited = job("job")
        limited.maximumRunning = 2
        #expect(SlurmScript(limited).arrayArguments.contains("--array=0-2%2"))
    }

    @Test func anArrayIsNoLargerThanAllowed() {
        #expect(SlurmScript.tasks(segments: 5000, configuration: "") == 1000)
        #expect(SlurmScript.tasks(segments: 5000, configuration: "MaxArraySize            = 4\n") == 3)
        #expect(SlurmScript.tasks(segments: 2, configuration: "MaxArraySize            = 4\n") == 2)
    }

    /// A task that asks for more processors than any node has is never run.
    @Test(arguments: [("8\n", 8), ("64\n16+\n128\n", 16), ("", nil), ("n/a\n", nil), ("0\n4\n", 4)])
    func theSmallestNodeCounts(nodes: String, processors: Int?) {
        #expect(SlurmScript.leastProcessors(nodes: nodes) == processors)
    }

    @Test(arguments: [(1, 1), (7, 3), (1000, 1000), (100_000, 1000), (5, 9)])
    func tasksCoverAllSegmentsEvenly(segments: Int, tasks: Int) {
        let division = TaskDivision(segments: segments, tasks: tasks)
        let parts = (0..<division.tasks).map(division.segments(of:))
        #expect(parts.flatMap(Array.init) == Array(0..<segments))
        let sizes = parts.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1 && sizes.allSatisfy { $0 > 0 })
        #expect(division.segments(of: division.tasks).isEmpty && division.segments(of: -1).isEmpty)
    }

    @Test func theManifestFollowsTheSchema() throws {
        var scheduled = job("/a b/$(x)", program: "vfx")
        scheduled.maximumRunning = 2
        let json = try KubernetesManifest(scheduled, image: "registry/vfx:1").json
        #expect(try JobSchema.faults(in: Data(json)) == [])
        let list = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let items = try #require(list["items"] as? [[String: Any]])
        #expect(items.count == 2)
        for item in items {
            let spec = try #require(item["spec"] as? [String: Any])
            let pod = try #require((spec["template"] as? [String: Any])?["spec"] as? [String: Any])
            let container = try #require((pod["containers"] as? [[String: Any]])?.first)
            #expect(container["image"] as? String == "registry/vfx:1")
            #expect((container["command"] as? [String])?[2] == "/a b/$$(x)")
        }
        let spec = try #require(items[0]["spec"] as? [String: Any])
        #expect(spec["completionMode"] as? String == "Indexed" && spec["completions"] as? Int == 3)
        #expect(spec["parallelism"] as? Int == 2 && spec["backoffLimitPerIndex"] as? Int == 2)
        for name in names + [String(repeating: "x-", count: 60)] {
            let label = KubernetesManifest.label(name)
            #expect(label.wholeMatch(of: /[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?/) != nil, "\(label)")
        }
    }

    /// A check that accepts everything would be no check.
    @Test(arguments: [
        ("\"completions\" : 3", "\"completions\" : \"3\""),
        ("\"completionMode\" : \"Indexed\"", "\"completionMode\" : \"indexed\""),
        ("\"restartPolicy\"", "\"restart\""), ("\"parallelism\"", "\"parallel\""),
        ("\"suspend\" : true", "\"suspend\" : 1"),
        ("\"backoffLimit\" : 2", "\"backoffLimit\" : -1"), ("\"name\" : \"vfx\"", "\"name\" : \"Not A Label\""),
        ("\"cpu\" : \"1\"", "\"cpu\" : 1"),
    ]) func theSchemaFindsFaults(old: String, new: String) throws {
        let json = try KubernetesManifest(job("/a", program: "vfx"), image: "i").json
        let text = String(decoding: json, as: UTF8.self)
        let changed = text.replacing(old, with: new, maxReplacements: 1)
        #expect(changed != text)
        #expect(try JobSchema.faults(in: Data(changed.utf8)) != [], "\(new)")
    }
}
