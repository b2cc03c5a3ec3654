import CAllocations
import Glibc
import Roost

/// Counts the allocations of what a server does most, and the memory of what it keeps, and fails when something exceeds
/// its budget. It also prints the time of the gallery's logins, which fails nothing.
///
/// It is a program and not a test, because it counts in a release build and replaces `malloc`.
@main
struct Allocations {
    static func main() async throws {
        print("| what | allocations | budget |")
        print("| --- | ---: | ---: |")
        let idle = [(Budget.idleWebSocket, try await IdleWebSockets.bytesEach())]
        let found = try values() + (try await requests()) + (try await Logins.counts()) + idle
        for (budget, count) in found {
            print("| \(budget.name) | \(count) | \(budget.allowed)\(verdict(budget, count)) |")
        }
        print("\n| login | CPU-ns |\n| --- | ---: |")
        for (pattern, time) in try await LoginTimes.nanoseconds() { print("| \(pattern) | \(time) |") }
        exit(found.contains { $0.1 > $0.0.allowed } ? 1 : 0)
    }

    private static func verdict(_ budget: Budget, _ count: Int) -> String {
        if count > budget.allowed { return " EXCEEDED" }
        return count < budget.allowed ? ", can be lowered" : ""
    }

    private static func values() throws -> [(Budget, Int)] {
        let coder = JSONCoder()
        let templates = try Templates(sources: ["users": UsersPage.template])
        return [
            (.encodeTwoUsers, try count { try coder.encode(User.two) }),
            (.encodeThousandUsers, try count { try coder.encode(User.thousand) }),
            (.encodeWritable, try count { try coder.encode(WrittenUser.two) }),
            (.renderEncodable, try count { try templates.render("users", UsersPage.hundred) }),
            (.renderWritten, try count { try templates.render("users", WrittenPage.hundred) }),
        ]
    }

    private static func requests() async throws -> [(Budget, Int)] {
        [
            (.plaintext, try await Requests.count("/plaintext")),
            (.json, try await Requests.count("/json")),
            (.hello, try await Requests.count("/hello/bench")),
            (.page, try await Requests.count("/users.html")),
            (.siteUsers, try await Requests.count("/users", middleware: Requests.siteMiddleware())),
            (.siteRow, try await Requests.count("/rows/1", middleware: Requests.siteMiddleware())),
            (.sitePage, try await Requests.count("/users", accept: "text/html", middleware: Requests.siteMiddleware())),
        ]
    }

    /// Returns the number of allocations of one run, after anything that is made only once.
    private static func count(_ body: () throws -> [UInt8]) rethrows -> Int {
        for _ in 0..<10 { _ = try body() }
        let before = roost_allocations()
        for _ in 0..<10 { _ = try body() }
        return Int(roost_allocations() - before) / 10
    }
}
