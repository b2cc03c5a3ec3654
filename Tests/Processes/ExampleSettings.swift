import FoundationEssentials

/// The settings of `.env.example`: all that the site knows.
package enum ExampleSettings {
    /// Their names with their values there, commented out or not.
    package static func variables() throws -> [String: String] {
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/.env.example"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let line = line.hasPrefix("#") ? line.dropFirst() : line
            let name = line.prefix { $0.isUppercase || $0.isNumber || $0 == "_" }
            let rest = line.dropFirst(name.count)
            return rest.first == "=" ? (String(name), String(rest.dropFirst())) : nil
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
