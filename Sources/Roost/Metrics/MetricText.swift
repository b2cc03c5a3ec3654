/// Prometheus's text format, version 0.0.4: what a scrape gets.
///
///     # HELP roost_refused_messages_total Messages that were refused before they were requests.
///     # TYPE roost_refused_messages_total counter
///     roost_refused_messages_total{status="400"} 42
struct MetricText {
    private(set) var text = ""

    /// The media type.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Begins a family.
    mutating func begin(_ name: String, _ kind: MetricFamily.Kind, help: String?) {
        if let help { text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n" }
        text += "# TYPE \(name) \(kind.rawValue)\n"
    }

    /// Appends one series.
    mutating func line(_ name: String, _ labels: String, _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Appends a classic histogram. The count is the sum of the buckets, so that they always agree.
    mutating func histogram(_ name: String, _ labels: String, _ bounds: [Double], _ sample: MetricSample) {
        let before = labels.isEmpty ? "" : labels + ","
        var total: Int64 = 0
        for (bound, count) in zip(bounds + [.infinity], sample.counts) {
            total += count
            line(name + "_bucket", before + "le=\"\(Self.number(bound))\"", "\(total)")
        }
        line(name + "_sum", labels, Self.number(sample.value))
        line(name + "_count", labels, "\(total)")
    }

    /// A number as the format has it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        guard let whole = Int64(exactly: value) else { return "\(value)" }
        return "\(whole)"
    }

    /// Labels as they stand between braces, in the order of their names. Of those that become the same name, the first
    /// counts: Prometheus refuses a whole scrape for a line that has a name twice.
    static func labels(_ dimensions: [(String, String)]) -> String {
        var names: Set<String> = []
        return dimensions.map { (name($0.0, colons: false), $0.1) }.filter { names.insert($0.0).inserted }
            .sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    }

    /// A name that the format allows: `[a-zA-Z_:][a-zA-Z0-9_:]*`, for labels without colons; anything else becomes
    /// `_`.
    static func name(_ label: String, colons: Bool = true) -> String {
        let bytes = label.utf8.map { byte in
            let isAllowed = byte.isLetterOrDigit || colons && byte == UInt8(ascii: ":")
            return isAllowed ? byte : UInt8(ascii: "_")
        }
        let isDigit = bytes.first?.isDigit ?? true
        return (isDigit ? "_" : "") + String(decoding: bytes, as: UTF8.self)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
