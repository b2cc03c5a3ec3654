// With the trait `Tracing`, steps are spans of swift-distributed-tracing too. Without it, there are none, and the
// package is not part of the build.

#if Tracing
    import Tracing

    /// A step as a span, with the names of OpenTelemetry's semantic conventions.
    package struct StepSpan: Sendable {
        private let span: any Span

        /// Whether the program has a tracer (`InstrumentationSystem.bootstrap`).
        package static var hasTracer: Bool { !(InstrumentationSystem.tracer is NoOpTracer) }

        /// Begins a span inside the current one.
        /// - Parameter received: The fields of a message that may name the span around it; nil for none.
        package static func begin(
            _ kind: StepKind, _ name: String, _ attributes: [String: String],
            received: (@Sendable (String) -> String?)? = nil
        ) -> StepSpan? {
            guard hasTracer, let spanKind = kind.spanKind else { return nil }
            var context = InstrumentationContext.current ?? .topLevel
            if let received {
                InstrumentationSystem.instrument.extract(
                    SentFields(value: received), into: &context, using: FieldReader())
            }
            let span = InstrumentationSystem.tracer.startSpan(name, context: context, ofKind: spanKind)
            span.updateAttributes { all in for (key, value) in attributes { all[key] = value } }
            return StepSpan(span: span)
        }

        /// Runs a closure inside the span.
        package func with<Result>(_ body: () async throws -> Result) async rethrows -> Result {
            try await InstrumentationContext.withValue(span.context) { try await body() }
        }

        /// Adds what has become known.
        package func set(_ name: String, _ value: String) { span.updateAttributes { $0[name] = value } }

        /// Adds a number that has become known.
        package func set(_ name: String, _ value: Int) { span.updateAttributes { $0[name] = value } }

        /// Gives it another name.
        package func rename(_ name: String) { span.operationName = name }

        /// The fields that tell another program of the span, such as `traceparent`.
        package var fields: [String: String] {
            var fields: [String: String] = [:]
            InstrumentationSystem.instrument.inject(span.context, into: &fields, using: FieldWriter())
            return fields
        }

        /// Ends it, with the type of an error: its text may have values in it.
        package func end(failed type: String? = nil) {
            if let type {
                set("error.type", type)
                span.setStatus(SpanStatus(code: .error))
            }
            span.end()
        }
    }

    extension StepKind {
        /// The kind of the step's span; nil for what is no span.
        fileprivate var spanKind: SpanKind? {
            switch self {
            case .request: .server
            case .statement, .outgoing: .client
            case .template: .internal
            case .run: .consumer
            case .middleware, .handler, .job, .mail, .log: nil
            }
        }
    }

    private struct SentFields: Sendable {
        let value: @Sendable (String) -> String?
    }

    private struct FieldReader: Extractor {
        func extract(key: String, from fields: SentFields) -> String? { fields.value(key) }
    }

    private struct FieldWriter: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout [String: String]) { fields[key] = value }
    }
#else
    /// A step as a span: there are none without the trait `Tracing`.
    package enum StepSpan {
        package static var hasTracer: Bool { false }

        package static func begin(
            _ kind: StepKind, _ name: String, _ attributes: [String: String],
            received: (@Sendable (String) -> String?)? = nil
        ) -> StepSpan? { nil }

        package func with<Result>(_ body: () async throws -> Result) async rethrows -> Result { try await body() }
        package func set(_ name: String, _ value: String) {}
        package func set(_ name: String, _ value: Int) {}
        package func rename(_ name: String) {}
        package var fields: [String: String] { [:] }
        package func end(failed type: String? = nil) {}
    }
#endif
