import Glibc
import Roost
import RoostCommands

/// An option that gives a command a password: typed twice without being shown, or from standard input.
struct PasswordOption: ParsableArguments {
    @Flag(help: "Read the password from standard input, up to the end of the line, LF or CRLF.")
    var passwordStdin = false

    func read() throws -> String {
        if passwordStdin {
            guard let line = try Self.line() else {
                throw StartError.configuration("Standard input has no password.")
            }
            return line
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw StartError.configuration("There is no terminal to type a password on: use --password-stdin.")
        }
        let first = try Self.prompt("Password: ")
        guard try first.utf8.elementsEqual(Self.prompt("The same again: ").utf8) else {
            throw StartError.configuration("These were two different passwords.")
        }
        return first
    }

    /// Reads a line that the terminal does not show. What asks for it is no output of the command.
    private static func prompt(_ text: String) throws -> String {
        defer { write(STDERR_FILENO, "\n", 1) }
        return try HiddenTyping.during {
            write(STDERR_FILENO, text, text.utf8.count)
            return try line() ?? ""
        }
    }

    /// A line of standard input, without its end; nil when there is none.
    /// - Throws: ``StartError`` for bytes that are not UTF-8: as replacement characters they would match any others.
    private static func line() throws -> String? {
        var (bytes, byte) = ([UInt8](), UInt8(0))
        // One at a time, so that nothing is taken from whoever reads after this.
        var count = Glibc.read(STDIN_FILENO, &byte, 1)
        guard count == 1 else { return nil }
        while count == 1, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
            count = Glibc.read(STDIN_FILENO, &byte, 1)
        }
        if count == 1, bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw StartError.configuration("The password is not UTF-8.")
        }
        return text
    }
}
