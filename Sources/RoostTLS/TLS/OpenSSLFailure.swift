internal import COpenSSL

/// A failure that OpenSSL reports, in its own words.
///
/// OpenSSL keeps a queue of failures for each thread. What is left there would be taken for a later call's, so the queue
/// is emptied each time.
struct OpenSSLFailure: Error, CustomStringConvertible {
    let description: String

    /// Takes the failures of the latest call. The first is the cause, the rest are what followed from it.
    static func take() -> OpenSSLFailure {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0, let reason = ERR_reason_error_string(first) else {
            return OpenSSLFailure(description: "no reason given")
        }
        return OpenSSLFailure(description: String(cString: reason))
    }
}
