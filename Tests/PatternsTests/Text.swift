extension String {
    /// The text between each pair of marks, in order.
    func components(between start: String, and end: String) -> [String] {
        var found: [String] = []
        var rest = Substring(self)
        while let begin = rest.firstRange(of: start), let stop = rest[begin.upperBound...].firstRange(of: end) {
            found.append(String(rest[begin.upperBound..<stop.lowerBound]))
            rest = rest[stop.upperBound...]
        }
        return found
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
