/// A button of a ``CardPage``. It says what was pressed, and never where that leads.
package enum CardButton: String, Codable, Sendable, CaseIterable {
    case reload
    case next
    case detail
    case dismiss
    case cancel

    private enum CodingKeys: CodingKey {
        case action
        case label
    }

    package func encode(to encoder: any Encoder) throws {
        var button = encoder.container(keyedBy: CodingKeys.self)
        try button.encode(rawValue, forKey: .action)
        try button.encode(rawValue.prefix(1).uppercased() + rawValue.dropFirst(), forKey: .label)
    }
}
