import Glibc
import Roost
import RoostJobs
import RoostSQL

/// `jobs`, of a program whose migrations make the tables of `RoostJobs`
struct JobsCommand<Site: DatabaseProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "jobs",
            abstract: "List, retry and discard jobs, and pause queues.",
            subcommands: [List.self, Retry.self, Discard.self, Pause.self, Resume.self],
            defaultSubcommand: List.self
        )
    }

    private static func withRecords(_ body: (JobRecords) async throws -> Void) async throws {
        try await Site.withDatabase { try await body(JobRecords($0)) }
    }

    enum State: String, ExpressibleByArgument, CaseIterable { case waiting, running, dead }

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "list",
                abstract: "List jobs, dead ones first.",
                // Also what a mistyped command gets.
                usage: """
                    \(Site.name) jobs [list] [--state <state>] [--limit <limit>] [--json]
                    \(Site.name) jobs --help lists all commands.
                    """)
        }

        @Option(help: "Only those that are waiting, running or dead.") var state: State?
        @Option(help: "At most this many, from 1 to 10000.") var limit = 100
        @Flag(help: "Print an array of objects with id, name, queue, state, attempt, due and error.") var json = false

        func validate() throws {
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
        }

        func run() async throws {
            let (state, limit, json) = (state, limit, json)
            try await JobsCommand.withRecords { records in
                let list = try await records.list(state?.rawValue, limit: limit)
                if json { return print(try JSONCoder.printed(list)) }
                for job in list { print(LogText.escaped(Self.line(job))) }
                for queue in try await records.paused() { print("The queue \(LogText.escaped(queue)) is paused.") }
            }
        }

        private static func line(_ job: JobRecord) -> String {
            let due = job.due.map { job.state != "waiting" ? "" : $0 > 0 ? " due in \($0 / 1000) s" : " due" } ?? ""
            let error = job.error.map { ": \($0)" } ?? ""
            return "\(job.id) \(job.name) \(job.queue) \(job.state)\(due), tried \(job.attempt) times\(error)"
        }
    }

    /// Prints how many jobs have changed.
    /// - Throws: `ExitCode` if they are fewer than were named.
    private static func tell(_ count: Int, of ids: [Int], _ what: String) throws {
        print("\(count) \(count == 1 ? "job is" : "jobs are") \(what).")
        let missed = Set(ids).count - count
        guard missed > 0 else { return }
        let line = "Not there, or running: \(missed) of the jobs that are named.\n"
        write(STDERR_FILENO, line, line.utf8.count)
        throw ExitCode(1)
    }

    struct Retry: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "retry", abstract: "Let jobs be tried again at once.")
        }

        @Argument(help: "The numbers of the jobs; without any, all dead ones.") var ids: [Int] = []

        func run() async throws {
            let ids = ids
            try await JobsCommand.withRecords { try JobsCommand.tell(try await $0.retry(ids), of: ids, "due now") }
        }
    }

    struct Discard: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "discard", abstract: "Delete jobs that do not run at present.")
        }

        @Argument(help: "The numbers of the jobs; without any, all dead ones.") var ids: [Int] = []

        func run() async throws {
            let ids = ids
            try await JobsCommand.withRecords { try JobsCommand.tell(try await $0.discard(ids), of: ids, "gone") }
        }
    }

    struct Pause: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "pause", abstract: "Stop all instances from starting jobs of a queue; running jobs go on.")
        }

        @Argument(help: "The name of the queue.") var queue: String

        func run() async throws {
            let queue = queue
            try await JobsCommand.withRecords { try await $0.pause(queue) }
            print("The queue \(LogText.escaped(queue)) is paused.")
            guard let doubt = await JobsCommand.doubt(about: queue) else { return }
            write(STDERR_FILENO, doubt, doubt.utf8.count)
        }
    }

    /// A line about a queue that this program's jobs do not have: its name may be wrong, or another program's. Nil if
    /// they have it, or if nobody can tell.
    static func doubt(about queue: String) async -> String? {
        guard let services = try? await Site.application().services else { return nil }
        let queues = Set(services.compactMap { ($0 as? Jobs)?.queues.keys }.joined())
        guard !queues.isEmpty, !queues.contains(queue) else { return nil }
        let names = queues.sorted().map { LogText.escaped($0) }.joined(separator: ", ")
        return "This program takes no jobs from the queue \(LogText.escaped(queue)). Its queues: \(names).\n"
    }

    struct Resume: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "resume", abstract: "Let instances start jobs of a queue again.")
        }

        @Argument(help: "The name of the queue.") var queue: String

        func run() async throws {
            let queue = queue
            try await JobsCommand.withRecords { records in
                guard try await records.resume(queue) else {
                    print("The queue \(LogText.escaped(queue)) was not paused.")
                    throw ExitCode(1)
                }
            }
            print("The queue \(LogText.escaped(queue)) goes on.")
        }
    }
}
