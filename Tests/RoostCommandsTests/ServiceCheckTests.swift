import Roost
import RoostJobs
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

@testable import RoostCommands

@Suite("Checks of services", .quietLog, .timeLimit(.minutes(5)))
struct ServiceCheckTests {
    private struct Nap: Job {
        func run(_ context: JobContext) async throws {}
    }

    /// A program with jobs, whose schedules and queues are the task's.
    private struct Sleepy: SiteProgram {
        @TaskLocal static var line = "0 3 * * *"
        @TaskLocal static var places = 1

        static func application() throws -> Application {
            let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
            let jobs = Jobs(
                database, [Nap.self], queues: ["default": places], schedules: [JobSchedule(line, Nap())])
            return try Application(services: [database, jobs]) { _ in }
        }
    }

    @Test func `a mistake that ends the start of a service is found without starting it`() async throws {
        #expect(try CheckCommand<Sleepy>.services(of: Sleepy.application()) == "")
        try await CheckCommand<Sleepy>.parse([]).run()
        await Sleepy.$line.withValue("61 * * * *") {
            let error = #expect(throws: StartError.self) {
                try CheckCommand<Sleepy>.services(of: Sleepy.application())
            }
            #expect(error?.description.contains("61 * * * *") == true)
            let code = await #expect(throws: ExitCode.self) { try await CheckCommand<Sleepy>.parse([]).run() }
            #expect(code?.rawValue == 1)
        }
    }

    @Test func `a queue without places is found, too`() {
        Sleepy.$places.withValue(0) {
            let error = #expect(throws: StartError.self) {
                try CheckCommand<Sleepy>.services(of: Sleepy.application())
            }
            #expect(error?.description.contains("The queue default has 0 places") == true)
        }
    }

    @Test func `temporary files are looked for if a route reads its bodies as streams`() throws {
        let collected = try Application { routes in routes.post(Path("/")) { _ in "" } }
        #expect(try CheckCommand<Sleepy>.temporaryFiles(of: collected) == nil)
        let streamed = try Application { routes in routes.post(Path("/"), body: .streamed) { _ in "" } }
        #expect(try CheckCommand<Sleepy>.temporaryFiles(of: streamed)?.isEmpty == false)
    }

    @Test func `an application whose services know no mistakes has nothing to check`() throws {
        let application = try Application(services: []) { _ in }
        #expect(try CheckCommand<Sleepy>.services(of: application) == nil)
    }
}
