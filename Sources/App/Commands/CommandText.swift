import Roost

/// The texts that commands read and print.
enum CommandText {
    /// The parts of an option that takes several, with commas between them.
    static func parts(of text: String) -> Set<String> {
        Set(text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) })
    }

    /// A value for a program.
    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoder(layout: .pretty).encode(value), as: UTF8.self)
    }
}
