/// Writes to a ``LiveOutput`` from any thread.
final class LiveWriter: BodyWriter {
    private let output: LoopBound<LiveOutput>

    init(output: LoopBound<LiveOutput>) { self.output = output }

    func write(_ bytes: [UInt8]) async throws {
        let loop = output.loop
        if loop.isCurrent {
            guard output.value.send(bytes) else { throw CancellationError() }
            if output.value.isTaken { return }
        } else {
            guard await output.run({ $0.send(bytes) }) ?? false else { throw CancellationError() }
        }
        await withCheckedContinuation { continuation in
            if loop.isCurrent { return output.value.whenTaken(continuation) }
            let isGoingOn = loop.submit { [output] in output.value.whenTaken(continuation) }
            if !isGoingOn { continuation.resume() }
        }
        let isOpen = loop.isCurrent ? output.value.isOpen : await output.run { $0.isOpen } ?? false
        guard isOpen else { throw CancellationError() }
    }

    func end() async {
        if output.loop.isCurrent { return output.value.endNow() }
        await output.run { $0.endNow() }
    }
}
