/// The trace that a request belongs to, as systems tell each other in the field `traceparent` (W3C Trace Context).
///
///     traceparent     = version "-" trace-id "-" parent-id "-" trace-flags
///     version         = 2HEXDIGLC                ; but not ff
///     trace-id        = 32HEXDIGLC               ; not all zeroes
///     parent-id       = 16HEXDIGLC               ; not all zeroes
///     trace-flags     = 2HEXDIGLC
///     HEXDIGLC        = DIGIT / %x61-66
///
/// Send ``headers`` along with requests to other services, so that what they do is found under the same trace:
///
///     var headers = request.traceContext.headers
public struct TraceContext: Sendable, Equatable {
    /// The trace, as 32 digits: the `trace_id` of the log's lines about the request.
    public var traceID: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
    /// The id of this server's work for the request, as 16 digits: the parent of what other services do for it.
    public var spanID: String { Hexadecimal.text(span) }
    /// Whether the caller may have recorded the trace.
    public var isSampled: Bool { flags & 1 == 1 }
    /// More about the trace, of which other systems know the meaning (`tracestate`); nil without it.
    public var state: String?

    let high, low: UInt64
    var span: UInt64
    let flags: UInt8

    init(high: UInt64, low: UInt64, span: UInt64, flags: UInt8) {
        (self.high, self.low, self.span, self.flags) = (high, low, span, flags)
    }

    /// Reads the value of `traceparent`; nil for anything that the specification refuses. A later version than 00 is
    /// read as far as this one knows it (§3.3).
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 55, bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D,
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || version > 0 && bytes[55] == 0x2D,
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high | low != 0,
            let span = Self.number(bytes[36..<52]), span != 0, let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(high: high, low: low, span: span, flags: UInt8(truncatingIfNeeded: flags))
    }

    /// The value of `traceparent`. Of the flags, only the one is passed on whose meaning is known (§3.2.2.5).
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// The fields for requests to other services.
    public var headers: Headers {
        var headers = Headers(.traceparent, traceparent)
        if let state { headers.append(.tracestate, state) }
        return headers
    }

    /// Lower-case digits only, as the specification demands; nil for anything else.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64? {
        guard digits.allSatisfy(Hexadecimal.isLowercaseDigit) else { return nil }
        return digits.reduce(0) { $0 << 4 | UInt64(Hexadecimal.value($1) ?? 0) }
    }
}
