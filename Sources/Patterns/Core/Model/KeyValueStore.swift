/// A place where a model keeps values from one request to the next, each with a name. On a phone it is `UserDefaults`;
/// here it is the visitor's session.
package protocol KeyValueStore: AnyObject, Sendable {
    subscript(name: String) -> String? { get set }
}
