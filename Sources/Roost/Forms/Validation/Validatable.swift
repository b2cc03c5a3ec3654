/// An input type with rules, which every `request.decode` checks:
///
///     struct NestInput: Decodable, Validatable {
///         var tree: String
///         var eggs: Int?
///         var email: String
///         var again: String
///
///         mutating func validate(_ check: inout Validation) {
///             check("tree", &tree, .trimmed, .required, .length(...40))
///             check("eggs", eggs, .range(0...12))
///             check("email", &email, .trimmed, .required, .email)
///             check.that("again", again == email, "The addresses differ.")
///         }
///     }
///
/// Input that breaks rules is an ``HTTPError`` with 422, which names every field and everything that is wrong with it.
/// Such a type is not the model, so a client can set only what it names.
public protocol Validatable {
    /// Checks the fields, and may change them: a trimmed text stays trimmed.
    mutating func validate(_ check: inout Validation)
}
