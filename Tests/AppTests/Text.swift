extension String {
    /// The text between each pair of marks, in order.
    func components(between start: String, and end: String) -> [String] {
        var found: [String] = []
        var rest = self[...]
        while let begin = rest.firstRange(of: start) {
            rest = rest[begin.upperBound...]
            guard let finish = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<finish.lowerBound]))
            rest = rest[finish.upperBound...]
        }
        return found
    }
}
