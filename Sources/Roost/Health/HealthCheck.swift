import Glibc

/// A check of one thing that the application needs, as a part of `/health/ready`.
///
///     try Application(healthChecks: [HealthCheck("mail") { try await mail.ping() }]) { routes in … }
///
/// All checks run concurrently, at most once a second however many requests there are, on the event loop of the first
/// one.
public struct HealthCheck: Sendable {
    /// The name of the check in the report: `database`.
    package let name: String
    /// Whether a failure is only shown and logged: the application stays ready, because it can serve requests.
    package let isWarning: Bool
    /// The maximum time of the check; longer counts as failed.
    package let timeout: Duration
    let body: @Sendable () async throws -> Void

    /// Creates a check.
    /// - Parameters:
    ///   - isWarning: Whether a failure leaves the application ready.
    ///   - timeout: The maximum time of the check. One that takes longer is cancelled, and counts as failed.
    ///   - body: Throws when something is wrong. The error's text is logged, and shown in development only.
    public init(
        _ name: String, isWarning: Bool = false, timeout: Duration = .seconds(2),
        _ body: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.isWarning = isWarning
        self.timeout = timeout
        self.body = body
    }
}

/// A service that reports whether it works. In an application, its checks are part of `/health/ready`.
public protocol HealthReporting: Service {
    /// The checks of everything that has to work for requests to be served.
    var healthChecks: [HealthCheck] { get }
}

extension HealthCheck {
    /// Returns a check that the file system of a folder has enough free space, and room for another file (inode).
    /// - Parameters:
    ///   - folder: Any folder on it. One that does not exist fails the check.
    ///   - minimum: The number of bytes that an unprivileged process must still be able to write.
    public static func diskSpace(_ folder: String, atLeast minimum: Int = 64 << 20) -> HealthCheck {
        HealthCheck("disk") {
            try await offloadOwn {
                var facts = statvfs()
                guard statvfs(folder, &facts) == 0 else {
                    throw HealthFailure("\(folder): \(String(cString: strerror(errno)))")
                }
                if let lack = lack(facts, atLeast: minimum) { throw HealthFailure("\(folder) has \(lack).") }
            }
        }
    }

    /// The lack of a file system, in words; nil if it has enough.
    static func lack(_ facts: statvfs, atLeast minimum: Int) -> String? {
        let free = facts.freeBytes
        if free < minimum { return "\(free) bytes left, below \(minimum)" }
        // Some file systems have no limit of files, and tell 0 for it.
        return facts.f_files > 0 && facts.f_favail == 0 ? "no room for another file (inode)" : nil
    }
}

/// An error that says in a sentence for the log why a check failed.
package struct HealthFailure: Error, CustomStringConvertible {
    /// The sentence.
    package let description: String

    /// A failure with a sentence.
    package init(_ description: String) { self.description = description }
}
