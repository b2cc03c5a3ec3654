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
/// A job runs at least once: again after an error, or if the instance that ran it was killed. So make sure that it does
/// no harm when it runs twice. If you change its properties, the JSON of waiting jobs must still be readable.
public protocol Job: Codable, Sendable {
    /// The name that identifies the type in the table; by default, the type's own. Waiting jobs are not found under a
    /// new name.
    static var name: String { get }
    /// The queue that jobs of this type go to; by default, `default`.
    static var queue: String { get }
    /// The rank of these jobs among those of their queue that are due; by default, ``JobPriority/normal``.
    static var priority: JobPriority { get }
    /// The number of times that a job is tried before it is dead, at least 1; by default, 20, which takes about a week.
    /// A try begins when an instance takes the job, and counts even if that instance is then killed.
    static var maximumTries: Int { get }
    /// The longest time that one run may take; by default, 10 minutes. After that, it is cancelled and counts as
    /// failed.
    static var deadline: Duration { get }
    /// The key that keeps an equal job from being added again; by default, nil.
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

/// The rank of a job in its queue: of the jobs that are due, those with a higher rank begin first.
public enum JobPriority: Int, Sendable, CaseIterable {
    /// Before all others.
    case high
    /// The priority of most jobs.
    case normal
    /// Only when nothing else is due.
    case low
}

/// A key with which `Jobs.add` adds only one job of a type within some time, even if that job has run already.
public struct JobKey: Sendable, Hashable {
    let text: String
    let duration: Duration

    /// Creates a key that is valid for a time that begins when the job is added. Durations of one key should differ by
    /// less than a day: one that lasts for over a day longer than another job asks for is taken to be of a wrong clock.
    public init(_ text: String, for duration: Duration) { (self.text, self.duration) = (text, duration) }
}

/// An error with which a job decides whether it is tried again. The text is kept as the job's error.
public enum JobFailure: Error, Sendable, CustomStringConvertible {
    /// Do not try again: the job is dead.
    case discard(String)
    /// Try again after this time, a year at most, unless the job has used up its tries.
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

    /// Returns the first service of a type, or conforming to a protocol, among those passed to ``Jobs``.
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
