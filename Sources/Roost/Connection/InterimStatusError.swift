/// A handler has responded with an interim status, which announces another response.
struct InterimStatusError: Error, CustomStringConvertible {
    let code: Int
    var description: String {
        "The status \(code) is not final, so it cannot answer a request (RFC 9110 §15.2): answer with 200 to 599."
    }
}
