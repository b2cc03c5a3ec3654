/// What the log shows of texts that came from elsewhere.
enum LogText {
    /// What a request is called: its method, and its target without the query, which may hold secrets.
    static func name(of request: Request) -> String {
        escaped("\(request.method) \(request.target.prefix { $0 != "?" })")
    }

    /// Without control characters, which could forge a line of the log or steer a terminal.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }
}
