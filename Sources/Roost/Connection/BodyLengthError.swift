/// A streamed body has ended before the length that it was announced with, or has not ended there: the client learns of
/// it by the end of the connection, the application's author by the log.
struct BodyLengthError: Error, CustomStringConvertible {
    let announced: Int
    let isLonger: Bool
    var description: String {
        "the body is \(isLonger ? "longer" : "shorter") than the \(announced) bytes that it was announced with; "
            + "the connection was closed."
    }
}
