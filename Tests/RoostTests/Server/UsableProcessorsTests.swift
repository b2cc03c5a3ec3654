import Testing

@testable import Roost

@Suite("The processors that the process may use", .timeLimit(.minutes(5)))
struct UsableProcessorsTests {
    private static let files = [
        "/sys/fs/cgroup/a/cpu.max": "max 100000\n",
        "/sys/fs/cgroup/a/b/cpu.max": "250000 100000\n",
        "/sys/fs/cgroup/a/b/c/cpu.max": "800000 100000\n",
        "/sys/fs/cgroup/small/cpu.max": "5000 100000\n",
        "/sys/fs/cgroup/odd/cpu.max": "some words\n",
        "/sys/fs/cgroup/none/cpu.max": "1000 0\n",
        "/sys/fs/cgroup/cpu/docker/x/cpu.cfs_quota_us": "400000\n",
        "/sys/fs/cgroup/cpu/docker/x/cpu.cfs_period_us": "100000\n",
        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
        "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]

    @Test(arguments: [
        ("", 16),
        ("0::/\n", 16),
        ("0::/a\n", 16),
        ("0::/a/b\n", 3),
        ("0::/a/b/c\n", 3),
        ("0::/small\n", 1),
        ("0::/odd\n", 16),
        ("0::/none\n", 16),
        ("4:cpu,cpuacct:/docker/x\n0::/\n", 4),
        ("4:cpuacct:/docker/x\n", 16),
        ("nonsense\n::\n", 16),
    ])
    func `they are the machine's, or the quota of the control groups around it`(groups: String, count: Int) {
        let groups = ControlGroups(text: groups) { Self.files[$0] }
        #expect(UsableProcessors.limit(of: groups, machine: 16) == count)
    }

    @Test func `a container sees its own quota at the root`() {
        let files = ["/sys/fs/cgroup/cpu.max": "150000 100000\n"]
        let groups = ControlGroups(text: "0::/unknown/in/here\n") { files[$0] }
        #expect(UsableProcessors.limit(of: groups, machine: 16) == 2)
    }

    @Test func `there is a loop for each, unless another number is set`() throws {
        #expect(UsableProcessors.count >= 1)
        #expect(ServerConfiguration().workers == UsableProcessors.count)
        #expect(try ServerConfiguration(environment: ["WORKERS": "7"]).workers == 7)
    }
}
