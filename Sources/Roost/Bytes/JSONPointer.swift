/// The steps of JSON pointers (RFC 6901).
enum JSONPointer {
    /// The step to a member: after a slash its name, in which `~` is written `~0` and `/` is written `~1` (§3).
    static func step(to name: String) -> String {
        name.unicodeScalars.reduce(into: "/") { step, scalar in
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
    }
}
