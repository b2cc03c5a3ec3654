/// Lets one of several instances run a job at a time, and only when it is due: `SQLJobLock` of `RoostSQL`, for example.
public protocol JobLock: Sendable {
    /// The time for which a claim holds unless it is renewed. If an instance ends without a word while it runs a job,
    /// another may run it after this time.
    var lease: Duration { get }

    /// Asks whether this instance is to run a job now.
    /// - Parameter interval: The interval at which the job is to run.
    func claim(_ job: String, every interval: Duration) async throws -> JobClaim

    /// Prolongs a claim; called several times within each ``lease``, while the job runs.
    /// - Returns: False if the claim does not hold any more.
    func renew(_ lease: JobLease) async throws -> Bool

    /// Ends a claim: the job has run, and is due again at the next of its times.
    func release(_ lease: JobLease) async throws
}

/// The answer of a ``JobLock``.
public enum JobClaim: Sendable, Equatable {
    /// The job is this instance's.
    case granted(JobLease)
    /// The job is not due, or another instance is running it: ask again after this time.
    case later(Duration)
}

/// A claim to a job.
public struct JobLease: Sendable, Equatable {
    /// The name of the job.
    public let job: String
    /// A text that tells this claim from any other.
    public let token: String
    /// The interval at which the job is to run.
    public let interval: Duration

    /// Creates a claim.
    public init(job: String, token: String, interval: Duration) {
        self.job = job
        self.token = token
        self.interval = interval
    }
}
