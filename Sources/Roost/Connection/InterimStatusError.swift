/// A handler has responded with an interim status, which announces another response.
struct InterimStatusError: Error, CustomStringConvertible {
    let code: Int
    var description: String {
        "The status \(code) is not final, so no response can end with it (RFC 9110 §15.2): use one from 200 to 599."
    }
}
