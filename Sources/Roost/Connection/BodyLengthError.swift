/// A streamed body has ended before the length that was announced for it, or has not ended there. The client notices
/// because the connection ends; the application's author reads it in the log.
struct BodyLengthError: Error, CustomStringConvertible {
    let announced: Int
    let isLonger: Bool
    var description: String {
        "the body is \(isLonger ? "longer" : "shorter") than the announced \(announced) bytes; "
            + "the connection was closed."
    }
}
