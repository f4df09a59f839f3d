import Foundation
import Glibc

/// How threads share the processors.
enum ThreadScheduling {
    /// Sets something up that may start threads; this thread and those new ones are scheduled as this one was before.
    ///
    /// SVT-AV1 before 2.0 gives the thread that sets it up the highest real-time priority where the process is root's, and
    /// whatever that thread starts inherits it: nothing else would run on the machine meanwhile.
    static func keeping<R>(_ body: () -> R) -> R {
        guard geteuid() == 0 else { return body() }
        let former = Set(threads), policy = sched_getscheduler(0)
        var parameters = sched_param()
        sched_getparam(0, &parameters)
        defer {
            if policy >= 0, sched_getscheduler(0) != policy {
                pthread_setschedparam(pthread_self(), policy, &parameters)
                // Some may have come to their end.
                for thread in threads where !former.contains(thread) { sched_setscheduler(thread, policy, &parameters) }
            }
        }
        return body()
    }

    private static var threads: [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).compactMap { pid_t($0) }
    }
}
