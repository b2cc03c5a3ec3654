/// Roost's own messages to a visitor whose request is refused, beside those about fields.
extension Sentence {
    /// The sentences of errors that a table can replace. A test compares the list with the sources.
    static let ofErrors = [
        "\"{text}\" is not an email address.",
        "A form's _method must be put, patch or delete.",
        "A line ends with a carriage return alone: end it with a line feed.",
        "A name has too many combining marks in a row.",
        "A part of the form has a Content-Transfer-Encoding.",
        "A part of the form has no name.",
        "A quotation mark is not closed.",
        "A quotation mark stands within a field.",
        "Invalid email or password",
        "Line {line} ({name}): {mistake}",
        "Line {line}, column {column} ({name}): {mistake}",
        "Line {line}, column {column}: {mistake}",
        "Line {line}: {mistake}",
        "Password cannot have more than {maximum} characters",
        "Password must have at least {minimum} characters",
        "Send a token that has the scope {scope}: Authorization: Bearer TOKEN.",
        "Sign in first.",
        "Sign in first: POST an email and a password to {path}.",
        "Something stands after a closing quotation mark.",
        "The Content-Type lacks the boundary of the multipart body. Browsers set it if a script does not.",
        "The body must be application/x-www-form-urlencoded.", "The body must be sent without Content-Encoding.",
        "The body must be multipart/form-data.",
        "The body must be one of: {types}.",
        "The body took too long to arrive.",
        "The column is missing.",
        "The data cannot be reached at the moment. Try again soon.",
        "The file has changed.",
        "The file has {size} bytes.",
        "The form is not valid UTF-8.",
        "The head comes twice.",
        "The head is empty.",
        "The head is not UTF-8.",
        "The header fields of a part are too large.",
        "The line has more than {maximum} columns.",
        "The line has {count} columns, and the first line has {heads}.",
        "The line is longer than {maximum} bytes.",
        "The multipart body is malformed.",
        "The number is out of range.",
        "The query is not valid UTF-8.",
        "The table is UTF-16: save it as CSV in UTF-8.",
        "The text is not UTF-8.",
        "The token is not valid, or not any more.",
        "The token lacks the scope {scope}.",
        "There is an account with the address {address} already.",
        "There are more than {limit} rows.",
        "There is no room for the file here.",
        "This is available as {types}.",
        "This is not your current password",
        "This is not one of the allowed values.",
        "This list cannot be sorted.",
        "This may have been done, or not. Look before you try again.",
        "This member is required.",
        "This password is one of the most common ones, and would be guessed soon: choose another",
        "This request came from another site's page and was refused.",
        "This route takes no API tokens: POST an email and a password to {path}.",
        "This server does not serve the host {host}.",
        "Too many files are open here at the moment.",
        "Too many people are signing in. Try again soon.",
        "Too much data is being sent here at the moment.",
        "Too much work is waiting.",
        "Your account may not do this.",
        "Your address is the first that others would try: choose another password",
        "Your password may be the new one. Sign out everywhere: other devices may still be signed in.",
        "after and before cannot be used together.",
        "limit must be a whole number from 1 to {maximum}.",
        "sort must be one of: {names}.",
        "{method} is not allowed here; these methods are: {methods}.",
        "{name} must come from a Link header of this list.",
    ]
}

extension Sentence {
    static func largestBody(_ bytes: Int) -> Sentence {
        Sentence("The body is larger than the {maximum} allowed here.", ["maximum": size(bytes)])
    }

    /// A number of bytes as people read it: in the largest unit of which it is a whole number, as in `5 MiB`.
    static func size(_ bytes: Int) -> String {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        let unit = units.first { bytes >= $0.0 && bytes % $0.0 == 0 } ?? (1, "bytes")
        return "\(bytes / unit.0) \(unit.1)"
    }

    /// The sentence after too many failed sign-ins; the next attempt may come after this many seconds.
    package static func tooManySignIns(seconds: Int) -> Sentence {
        Sentence("Too many attempts to sign in. Try again in {seconds} seconds.", ["seconds": seconds])
    }

    static func tooManyRequests(seconds: Int) -> Sentence {
        Sentence("Too many requests: try again in {seconds} seconds.", ["seconds": seconds])
    }
}
