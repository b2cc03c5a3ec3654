/// A handler has answered with a status that tells of an answer to come.
struct InterimStatusError: Error, CustomStringConvertible {
    let code: Int
    var description: String {
        "The status \(code) is not final, so it cannot answer a request (RFC 9110 §15.2): answer with 200 to 599."
    }
}
