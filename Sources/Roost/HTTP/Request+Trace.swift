import HTTPTypes

extension Request {
    /// The trace that the request's span belongs to, if a tracer has told it in a field (the trait `Tracing`).
    private enum SpanTrace: RequestKey { typealias Value = TraceContext }

    /// The trace that the request belongs to: that of its span, if a tracer provides it, or the one that a trusted
    /// proxy sends (``ServerConfiguration/trustedProxies``), otherwise a new one. It is made on demand, and is always
    /// the same for one request.
    public var traceContext: TraceContext {
        if let context = self[SpanTrace.self] { return context }
        var context = givenTrace ?? TraceContext(high: traceNumber(0), low: traceNumber(1), span: 1, flags: 1)
        context.span = traceNumber(2)
        return context
    }

    /// The id of the trace, without the rest of ``traceContext``, which a log does not need.
    var traceID: (high: UInt64, low: UInt64) {
        guard forwarded == nil, self[SpanTrace.self] == nil else { return (traceContext.high, traceContext.low) }
        return (traceNumber(0), traceNumber(1))
    }

    /// The request as one of the trace that a tracer tells in the fields of its span, such as `traceparent`; unchanged
    /// if the tracer tells none.
    func inTrace(_ fields: [String: String]) -> Request {
        guard var text = fields["traceparent"], var context = text.withUTF8({ TraceContext($0) }) else { return self }
        context.state = fields["tracestate"]
        var request = self
        request[SpanTrace.self] = context
        return request
    }

    /// The trace context that a trusted proxy has sent; nil for two fields of the name, or one that is not valid.
    private var givenTrace: TraceContext? {
        guard forwarded != nil else { return nil }
        var found: TraceContext?
        var count = 0
        receivedFields.forEach(.traceparent) { line in
            count += 1
            found = TraceContext(receivedFields.bytes.slice(line))
        }
        guard count == 1 else { return nil }
        found?.state = receivedFields.value(.tracestate).flatMap { (1...512).contains($0.utf8.count) ? $0 : nil }
        return found
    }

    /// One of the request's three random numbers, never 0. They come from the request's own number, which no other has,
    /// so nothing has to be kept; `Hasher` has keys of the process, so that nobody can tell them from another's. In
    /// place of the number's two highest bits, which are random, stands the part.
    private func traceNumber(_ part: UInt64) -> UInt64 {
        max(1, UInt64(bitPattern: Int64((notes.number & (.max >> 2) | (part + 1) << 62).hashValue)))
    }
}
