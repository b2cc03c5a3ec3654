import Glibc

extension HealthCheck {
    /// Whether the file system of a folder has room for what the application writes there.
    /// - Parameters:
    ///   - folder: Any folder on it. One that does not exist fails the check.
    ///   - minimum: The number of bytes that an unprivileged process must still be able to write.
    public static func diskSpace(_ folder: String, atLeast minimum: Int = 64 << 20) -> HealthCheck {
        HealthCheck("disk") {
            let free = try await offload { try freeBytes(folder) }
            guard free >= minimum else { throw HealthFailure("\(folder) has \(free) bytes left, below \(minimum).") }
        }
    }

    private static func freeBytes(_ folder: String) throws -> Int {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else {
            throw HealthFailure("\(folder): \(String(cString: strerror(errno)))")
        }
        return facts.freeBytes
    }
}
