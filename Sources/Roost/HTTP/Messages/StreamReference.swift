/// A stream, held by one reference.
final class StreamReference: Sendable {
    let stream: any Body.Stream

    init(_ stream: any Body.Stream) { self.stream = stream }
}
