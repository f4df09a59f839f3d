import Jobs
import Testing
import vfx

/// Memory limits as stated by control groups.
@Suite struct ControlGroupTests {
    /// Returns the limit for these files.
    private func limit(_ groups: String, _ files: [String: String]) -> Int? {
        ProcessMemory.controlGroupLimit(groups: groups) { files[$0] }
    }

    @Test func theSecondVersionIsRead() {
        let groups = "0::/user.slice/job.scope\n"
        #expect(limit(groups, ["/sys/fs/cgroup/user.slice/job.scope/memory.max": "1073741824\n"]) == 1 << 30)
        #expect(limit(groups, ["/sys/fs/cgroup/user.slice/job.scope/memory.max": "max\n"]) == nil)
        #expect(limit(groups, [:]) == nil)
        #expect(limit("0::/\n", ["/sys/fs/cgroup/memory.max": "4096\n"]) == 4096)
    }

    @Test func theFirstVersionIsRead() {
        let groups = "12:cpu,cpuacct:/docker/ab\n9:memory:/docker/ab\n1:name=systemd:/docker/cd\n"
        let place = "/sys/fs/cgroup/memory/docker/ab/memory.limit_in_bytes"
        #expect(limit(groups, [place: "536870912\n"]) == 512 << 20)
        // The value that means "no limit", and one that does not fit an integer.
        for huge in ["9223372036854771712", "9223372036854775807", "18446744073709551615", "1125899906842624"] {
            #expect(limit(groups, [place: huge + "\n"]) == nil)
        }
        #expect(limit(groups, [place: "1125899906842623\n"]) == 1 << 50 - 1)
    }

    /// The lowest limit applies, whichever group states it.
    @Test func groupsAboveLimitToo() {
        let places = ["/a/b/c", "/a/b", "/a", ""].map { "/sys/fs/cgroup\($0)/memory.max" }
        for low in places.indices {
            var files = Dictionary(uniqueKeysWithValues: places.map { ($0, "max\n") })
            files[places[(low + 1) % places.count]] = "3000\n"
            files[places[low]] = "2000\n"
            #expect(limit("0::/a/b/c\n", files) == 2000)
        }
    }

    /// In a container, the group's path is that of the host, but its files are at the root.
    @Test func containersShowTheirOwnAsRoot() {
        #expect(limit("0::/kubepods/pod1/ab\n", ["/sys/fs/cgroup/memory.max": "2147483648\n"]) == 2 << 30)
        #expect(
            limit("4:memory:/docker/ab\n", ["/sys/fs/cgroup/memory/memory.limit_in_bytes": "2147483648\n"]) == 2 << 30)
        // Both versions at once.
        #expect(
            limit(
                "4:memory:/x\n0::/x\n",
                ["/sys/fs/cgroup/memory/x/memory.limit_in_bytes": "2000\n", "/sys/fs/cgroup/x/memory.max": "max\n"])
                == 2000)
    }

    @Test(arguments: ["", "\n\n", "nonsense", "0:", "0::", "::", "0::no-slash\n", "7:cpu:/a\n", "0::/../../etc\n"])
    func whatIsNoGroupIsPassedOver(groups: String) {
        #expect(limit(groups, [:]) == nil)
        #expect(limit(groups, ["/sys/fs/cgroup/memory.max": "5000"]) == 5000)
        #expect(limit(groups, ["/sys/fs/cgroup/memory.max": "", "/sys/fs/cgroup/a/memory.max": "7"]) == nil)
    }
}
