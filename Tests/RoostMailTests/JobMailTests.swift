import Roost
import RoostJobs
import RoostMail
import RoostSQL
import RoostSQLite
import RoostTesting
import Testing

// The program of docs/jobs.md that sends a mail, letter for letter.

struct WriteToGuest: Job {
    var guest: String
    /// The `request.messages.language` of the request that added the job: a job has no request.
    var language: String

    func run(_ context: JobContext) async throws {
        let table = try context.service([MessageTable].self).first { $0.language == language }
        try await context.jobs.send(
            Mail(
                to: MailAddress(guest), subject: "See you tomorrow!", view: "mails/reminder", ["guest": guest],
                in: table))
    }
}

@Suite(.quietLog, .timeLimit(.minutes(2)))
struct `A job that sends a mail` {
    @Test(arguments: [("de", "Bis morgen!", "Hallo"), ("en", "See you tomorrow!", "Hello")])
    func `writes it in the receiver's language`(language: String, subject: String, word: String) async throws {
        let database = Database(SQLiteDriver(SQLiteConfiguration(path: ":memory:")))
        let tables = [
            MessageTable.english, MessageTable("de", ["See you tomorrow!": "Bis morgen!", "Hello": "Hallo"]),
        ]
        let templates = try Templates(sources: ["mails/reminder.txt": #"{{t "Hello"}}, {{guest}}!"#])
        let mailer = Mailer(nil, from: "inn@example.org", templates: templates)
        let jobs = Jobs(
            database, [WriteToGuest.self, MailDelivery.self], queues: ["default": 10, "mail": 4],
            services: [mailer, tables])
        let services: [any Service] = [database, Migrator(database, Jobs.migrations), mailer, jobs]
        let client = TestClient(
            try Application(services: services, middleware: [Languages(tables)]) { routes in
                routes.post(Path("/guests/{guest}", String.self)) { request, guest -> Response in
                    try await jobs.add(WriteToGuest(guest: guest, language: request.messages.language))
                    return Response(.created)
                }
            })
        let added = try await client.post("/guests/ada@example.org", headers: [.acceptLanguage: language])
        #expect(added.status == .created)
        try await client.runJobs()
        #expect(client.mails.map(\.subject) == [subject])
        #expect(client.mails.first?.text == "\(word), ada@example.org!")
    }
}
