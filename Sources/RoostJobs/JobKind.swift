import FoundationEssentials
import Logging
import Roost
import RoostSQL

/// The outcome of a job's run.
enum JobEnd {
    case done
    /// It has failed, and is due again after some time.
    case retry(after: Duration, String)
    case dead(String)
    /// It was not really tried.
    case givenBack
}

extension JobEnd {
    /// The error; nil for a job that has not failed.
    var error: String? {
        switch self {
        case .done, .givenBack: nil
        case .retry(_, let text), .dead(let text): text
        }
    }

    /// Whether every encoding of a database has its error.
    var isASCII: Bool { error?.utf8.allSatisfy { $0 < 0x80 } ?? true }

    /// The same end, with all characters of its error escaped that are not ASCII.
    var inASCII: JobEnd {
        switch self {
        case .done, .givenBack: self
        case .retry(let delay, let text): .retry(after: delay, Self.ascii(text))
        case .dead(let text): .dead(Self.ascii(text))
        }
    }

    private static func ascii(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            scalar.isASCII ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }.joined()
    }

    /// The name in the metrics.
    var outcome: String {
        switch self {
        case .done: "done"
        case .retry: "failed"
        case .dead: "dead"
        case .givenBack: "given_back"
        }
    }
}

/// A type of jobs, as the worker needs it.
struct JobKind: Sendable {
    let name, queue: String
    let maximumTries: Int
    let deadline: Duration
    private let decode: @Sendable (String) throws -> any Job

    init<Kind: Job>(_ type: Kind.Type) {
        (name, queue, maximumTries, deadline) = (type.name, type.queue, type.maximumTries, type.deadline)
        decode = { try JSONCoder.stored.decode(type, from: Array($0.utf8)) }
    }

    /// - Throws: `StartError` for a type whose jobs are dead before they are tried.
    func check() throws(StartError) {
        guard maximumTries > 0 else {
            throw .configuration("Jobs of the type \(name) are never tried: let its maximumTries be at least 1.")
        }
    }

    /// The number of tries of a job, as `5 times`. One that has had all its tries is taken once more, to be dead.
    func tries(_ claimed: ClaimedJob) -> String {
        let count = claimed.attempt <= maximumTries ? claimed.attempt : claimed.attempt - 1
        return count == 1 ? "once" : "\(count) times"
    }

    /// Runs a job that a holder has taken.
    func run(_ claimed: ClaimedJob, of holder: Int, _ jobs: Jobs, _ logger: Logger) async -> JobEnd {
        guard claimed.attempt <= maximumTries else {
            let text = "It was tried \(tries(claimed)), and the last instance ended without a word."
            return .dead(claimed.error ?? text)
        }
        var payload = claimed.payload
        if payload == nil {
            do {
                payload = try await jobs.table.payload(of: claimed.id, holder)
            } catch DatabaseError.unavailable {
                return .givenBack  // It has not begun, so this was no try.
            } catch {
                return failed(claimed, "Its JSON cannot be fetched: \(error)")
            }
        }
        // Without it, another instance has the job.
        guard let payload else { return .givenBack }
        let job: any Job
        do {
            job = try decode(payload)
        } catch {
            return .dead(Self.text("Its JSON cannot be read: \(error)"))
        }
        var logger = logger
        logger[metadataKey: "job"] = "\(name) \(claimed.id)"
        let limit = jobs.time.now.addingTimeInterval(deadline / .seconds(1))
        let context = JobContext(
            id: claimed.id, attempt: claimed.attempt, deadline: limit, logger: logger, jobs: jobs)
        do {
            try await inSpan { try await job.run(context) }
            return .done
        } catch JobFailure.discard(let text) {
            return .dead(Self.text(text))
        } catch JobFailure.retry(let delay, let text) {
            return failed(claimed, text, after: delay)
        } catch {
            return failed(claimed, "\(error)")
        }
    }

    /// Runs a job as a span, where somebody traces.
    private func inSpan(_ run: () async throws -> Void) async throws {
        let attributes = [
            "messaging.system": "roost", "messaging.operation.type": "process",
            "messaging.operation.name": "process", "messaging.destination.name": queue,
        ]
        guard let span = StepSpan.begin(.run, "process \(name)", attributes) else { return try await run() }
        do {
            try await span.with(run)
            span.end()
        } catch {
            span.end(failed: "\(type(of: error))")
            throw error
        }
    }

    /// The end of a run that has failed.
    func failed(_ claimed: ClaimedJob, _ text: String, after delay: Duration? = nil) -> JobEnd {
        let text = Self.text(text)
        guard claimed.attempt < maximumTries else { return .dead(text) }
        let delay = delay ?? Self.delay(afterAttempt: claimed.attempt)
        return .retry(after: max(.zero, min(delay, Self.longestDelay)), text)
    }

    /// The longest time until the next try: a year. A job may have got a longer one from a server.
    private static let longestDelay = Duration.hours(365 * 24)

    /// The time until the next try: 10 s, 20 s, 40 s … one day, give or take a fifth, so that what has failed together
    /// does not come back together.
    static func delay(afterAttempt attempt: Int) -> Duration {
        let delay = min(Duration.seconds(10 << (max(1, min(attempt, 21)) - 1)), .hours(24))
        return delay * Double.random(in: 0.8...1.2)
    }

    /// The text of an error as the table keeps it: one line of 4,000 bytes at most, before control characters are
    /// escaped.
    private static func text(_ error: String) -> String {
        LogText.escaped(String(decoding: error.utf8.prefix(4000), as: UTF8.self))
    }
}
