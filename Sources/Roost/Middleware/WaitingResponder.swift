/// A responder that has to wait, as one reference.
final class WaitingResponder: Sendable {
    let responder: any Responder
    /// The step whose response it makes.
    let step: any ImmediateStep

    init(_ responder: any Responder, of step: any ImmediateStep) {
        self.responder = responder
        self.step = step
    }
}
