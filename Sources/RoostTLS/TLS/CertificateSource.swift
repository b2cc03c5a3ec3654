import Glibc

/// Files that are read together, of a certificate with its key or of an authority, and what came of it.
struct CertificateSource {
    private let paths: [String]
    /// The versions that are in use.
    private var used: [Version] = []
    /// Those of the last look.
    private var seen: [Version] = []
    /// The sentence of the last try to read them, if it failed, and the time at which it was told.
    private var failure: (sentence: String, told: Int)?

    init(_ paths: [String]) { self.paths = paths }

    /// Looks at the files; returns whether they have to be read.
    mutating func look() -> Bool {
        seen = paths.map { Version($0) }
        if seen == used { failure = nil }
        return seen != used
    }

    /// Notes how reading what was seen has gone. After a failure it is tried again at the next look, and told once a
    /// day.
    /// - Parameters:
    ///   - sentence: The sentence about a failure; nil without one.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: Whether the failure is to be told.
    mutating func wasRead(_ sentence: String?, at now: Int) -> Bool {
        guard let sentence else {
            (used, failure) = (seen, nil)
            return false
        }
        if let failure, failure.sentence == sentence, now - failure.told < 86_400 { return false }
        failure = (sentence, now)
        return true
    }

    /// The version of a file, by which a change shows.
    private struct Version: Equatable {
        private var device, file, seconds, nanoseconds, size, mode, owner, group: Int

        init(_ path: String) {
            var facts = Glibc.stat()
            let isThere = stat(path, &facts) == 0
            device = isThere ? Int(truncatingIfNeeded: facts.st_dev) : -1
            file = Int(truncatingIfNeeded: facts.st_ino)
            // It changes with the content, and also with the rights to read it.
            seconds = facts.st_ctim.tv_sec
            nanoseconds = facts.st_ctim.tv_nsec
            size = Int(facts.st_size)
            (mode, owner, group) = (Int(facts.st_mode), Int(facts.st_uid), Int(facts.st_gid))
        }
    }
}
