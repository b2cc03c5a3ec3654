public import FoundationEssentials
public import Logging
import Roost
public import RoostSQL

/// Work that is done later, and survives the end of the program: a value that is kept as JSON until it has run.
///
///     struct SendReminder: Job {
///         var booking: Int
///
///         func run(_ context: JobContext) async throws {
///             try await context.service(Mailer.self).remind(booking)
///         }
///     }
///
/// It is run at least once: again after an error, or when the instance that ran it has ended without a word. So let it
/// do no harm twice. When its properties change, see that the JSON of jobs that wait can still be read.
public protocol Job: Codable, Sendable {
    /// The name by which the table knows the type; by default, the type's. By another one, jobs that wait are not
    /// found.
    static var name: String { get }
    /// The queue that jobs of this type go to; by default, `default`.
    static var queue: String { get }
    /// The rank of these jobs among those of their queue that are due; by default, ``JobPriority/normal``.
    static var priority: JobPriority { get }
    /// The number of times that a job is tried before it is dead, at least 1; by default, 20, which takes about a
    /// week. A try begins when an instance takes the job: one that is killed then has used it up.
    static var maximumTries: Int { get }
    /// The longest time that one run may take; by default, 10 minutes. Then it is cancelled, and counts as failed.
    static var deadline: Duration { get }
    /// The key by which an equal job is not added again; by default, nil.
    var unique: JobKey? { get }

    /// Does the work, on the event loop of the jobs: use `await`, and `offload` for code that blocks.
    /// - Throws: Any error, after which it is tried again later, or a ``JobFailure``.
    func run(_ context: JobContext) async throws
}

extension Job {
    /// The type's name.
    public static var name: String { "\(Self.self)" }
    /// `default`.
    public static var queue: String { "default" }
    /// ``JobPriority/normal``.
    public static var priority: JobPriority { .normal }
    /// 20.
    public static var maximumTries: Int { 20 }
    /// 10 minutes.
    public static var deadline: Duration { .minutes(10) }
    /// Nil.
    public var unique: JobKey? { nil }
}

/// The rank of a job in its queue: of those that are due, one with a higher rank begins first.
public enum JobPriority: Int, Sendable, CaseIterable {
    /// Before all others.
    case high
    /// As most jobs.
    case normal
    /// Only when nothing else is due.
    case low
}

/// A key with which `Jobs.add` adds only one job of a type within some time, even if that job has run already.
public struct JobKey: Sendable, Hashable {
    let text: String
    let duration: Duration

    /// Creates a key that counts from when the job is added.
    public init(_ text: String, for duration: Duration) { (self.text, self.duration) = (text, duration) }
}

/// An error with which a job says what is to become of it. The text is kept as the job's error.
public enum JobFailure: Error, Sendable, CustomStringConvertible {
    /// Do not try again: the job is dead.
    case discard(String)
    /// Try again after this time, a year at most, unless it has been tried often enough.
    case retry(after: Duration, String)

    /// The text.
    public var description: String {
        switch self {
        case .discard(let text), .retry(_, let text): text
        }
    }
}

/// The values that a job gets for one run.
public struct JobContext: Sendable {
    /// The job's number, the same in each run.
    public let id: Int
    /// The number of this run, from 1.
    public let attempt: Int
    /// The time at which the run is cancelled.
    public let deadline: Date
    /// A logger with the job's name and number.
    public let logger: Logger
    /// The queue, to add more jobs.
    public let jobs: Jobs

    /// The time by the clock of the application, or of its test (`withClock`).
    public var now: Date { jobs.time.now }
    /// The database of the queue.
    public var database: Database { jobs.database }

    /// Returns the first service of a type, or that conforms to a protocol, of those that ``Jobs`` was given.
    ///
    ///     let mailer = try context.service(Mailer.self)
    ///
    /// - Throws: An error if there is none; as after any other, the job is tried again.
    public func service<Service>(_ type: Service.Type) throws -> Service { try jobs.service(type) }
}

/// A job has asked for a service that there is not.
package struct MissingService: Error, Sendable, CustomStringConvertible {
    /// The sentence for the log.
    package let description: String
}
