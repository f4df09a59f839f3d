/// Groups the segments of a job into tasks of consecutive segments. Grouping changes no output.
package struct TaskDivision: Sendable, Hashable {
    /// The number of segments.
    package let segments: Int
    /// The number of tasks, at least 1 and at most one for each segment.
    package let tasks: Int

    package init(segments: Int, tasks: Int) {
        self.segments = max(1, segments)
        self.tasks = min(max(1, tasks), self.segments)
    }

    /// The segments of a task. The numbers of segments of two tasks differ by at most one, since segments have the same
    /// number of source frames and so nearly the same cost.
    package func segments(of task: Int) -> Range<Int> {
        guard (0..<tasks).contains(task) else { return 0..<0 }
        return segments * task / tasks..<segments * (task + 1) / tasks
    }
}
