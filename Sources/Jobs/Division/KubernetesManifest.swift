internal import Foundation

/// The Kubernetes Indexed Job of a divided job, in JSON, which `kubectl` accepts like YAML.
///
/// The job's folder, the input and the output must be on a volume that is mounted in the image at the same paths;
/// `kubectl` users add it to the manifest. The join is another job, to be created when the first is complete.
package struct KubernetesManifest: Sendable {
    /// The container image that holds the program.
    package var image: String
    private let job: ScheduledJob

    package init(_ job: ScheduledJob, image: String) {
        self.job = job
        self.image = image
    }

    /// Two objects in a list: the array, and the suspended join.
    package var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let objects =
                [object(name: job.name, command: job.work, isArray: true)]
                + [object(name: job.name + "-join", command: job.join, isArray: false)]
            return try Array(encoder.encode(List(items: objects))) + [10]
        }
    }

    private func object(name: String, command: [String], isArray: Bool) -> Object {
        let container = Container(
            // Kubernetes would replace $(NAME) by a variable.
            name: "vfx", image: image, command: command.map { $0.replacing("$(", with: "$$(") },
            resources: Resources(requests: ["cpu": "\(isArray ? job.threads : 1)"]))
        var spec = Object.Specification(
            template: Template(spec: Template.Specification(containers: [container], restartPolicy: "Never")))
        if isArray {
            spec.completionMode = "Indexed"
            spec.completions = job.tasks
            spec.parallelism = job.maximumRunning.map { min($0, job.tasks) } ?? job.tasks
            spec.backoffLimitPerIndex = job.retries
            spec.maxFailedIndexes = job.tasks
        } else {
            spec.suspend = true
            spec.backoffLimit = job.retries
        }
        return Object(metadata: ["name": Self.label(name)], spec: spec)
    }

    /// Returns a name as Kubernetes allows it: at most 63 lower-case letters, digits and hyphens.
    package static func label(_ name: String) -> String {
        let plain = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let trimmed = String(plain).drop { $0 == "-" }.prefix(63)
        let end = trimmed.lastIndex { $0 != "-" }.map { trimmed[...$0] } ?? ""
        return end.isEmpty ? "vfx" : String(end)
    }

    private struct List: Encodable {
        var apiVersion = "v1"
        var kind = "List"
        var items: [Object]
    }

    private struct Object: Encodable {
        var apiVersion = "batch/v1"
        var kind = "Job"
        var metadata: [String: String]
        var spec: Specification

        struct Specification: Encodable {
            var template: Template
            var completionMode: String?
            var completions: Int?
            var parallelism: Int?
            var backoffLimit: Int?
            var backoffLimitPerIndex: Int?
            var maxFailedIndexes: Int?
            var suspend: Bool?
        }
    }

    private struct Template: Encodable {
        var spec: Specification

        struct Specification: Encodable {
            var containers: [Container]
            var restartPolicy: String
        }
    }

    private struct Container: Encodable {
        var name: String
        var image: String
        var command: [String]
        var resources: Resources
    }

    private struct Resources: Encodable { var requests: [String: String] }
}
