import Testing

@testable import Roost

@Suite("The memory that the process may use", .timeLimit(.minutes(5)))
struct UsableMemoryTests {
    private static let files = [
        "/sys/fs/cgroup/a/memory.max": "max\n",
        "/sys/fs/cgroup/a/b/memory.max": "500\n",
        "/sys/fs/cgroup/a/b/c/memory.max": "600\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "/sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes": "400\n",
    ]

    @Test(arguments: [
        ("", 1000),
        ("0::/\n", 1000),
        ("0::/a\n", 1000),
        ("0::/a/b/c\n", 500),
        ("0::/a/b/unknown/here\n", 500),
        ("12:cpu:/a\n4:memory:/docker/x\n0::/a\n", 400),
        ("4:cpu,memory:/elsewhere\n", 1000),
        ("nonsense\n::\n", 1000),
    ])
    func `it is the machine's, or the limit of the control groups around it`(groups: String, size: Int) {
        let groups = ControlGroups(text: groups) { Self.files[$0] }
        #expect(UsableMemory.limit(of: groups, machine: 1000) == size)
    }

    @Test func `a container sees its own limit at the root`() {
        let files = ["/sys/fs/cgroup/memory.max": "300\n"]
        let groups = ControlGroups(text: "0::/unknown/in/here\n") { files[$0] }
        #expect(UsableMemory.limit(of: groups, machine: 1000) == 300)
    }

    @Test func `a sixteenth of it is for what clients have in memory, unless another size is set`() {
        var configuration = ServerConfiguration()
        #expect(configuration.memoryBudget.limit == max(16 << 20, UsableMemory.size / 16))
        #expect(UsableMemory.size > 1 << 20)
        configuration.maximumBufferedSize = 1000
        #expect(configuration.memoryBudget.limit == 1000)
    }
}
