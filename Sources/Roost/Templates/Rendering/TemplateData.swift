/// A value that writes itself for templates, to be faster than `Encodable` or to pass lambdas.
///
/// Any `Encodable` can be a page. But a type that is shown a hundred times on a page avoids the cost of `Encodable` by
/// writing its fields itself:
///
/// ```swift
/// struct UserRow: TemplateData {
///     let id: Int
///     let name: String
///     let email: String?
///
///     func write(to slot: TemplateSlot) {
///         slot.add("id", id)
///         slot.add("name", name)
///         slot.add("email", email)        // also if it is nil, so that the name exists
///     }
/// }
///
/// struct UsersPage: TemplateData {
///     let users: [UserRow]
///
///     func write(to slot: TemplateSlot) {
///         slot.add("users", users)        // {{#users}}<li>{{id}}: {{name}}</li>{{/users}}
///         slot.add("shout", TemplateLambda { section in try section.render().uppercased() })
///     }
/// }
/// ```
///
/// `String`, `Bool`, `Int` and `Double` conform, and optionals, arrays and dictionaries (by `String`) of such values.
/// `TemplateSlot.set(encoding:)` writes any other `Encodable`.
public protocol TemplateData {
    /// Writes the value into its place: fields with `add`, elements with `append`, or one plain value with `set`.
    func write(to slot: TemplateSlot)
}

extension String: TemplateData {
    /// Sets the text.
    @inlinable public func write(to slot: TemplateSlot) { slot.set(self) }
}

extension Bool: TemplateData {
    /// Sets the truth value.
    @inlinable public func write(to slot: TemplateSlot) { slot.set(self) }
}

extension Int: TemplateData {
    /// Sets the number.
    @inlinable public func write(to slot: TemplateSlot) { slot.set(self) }
}

extension Double: TemplateData {
    /// Sets the number.
    @inlinable public func write(to slot: TemplateSlot) { slot.set(self) }
}

extension Optional: TemplateData where Wrapped: TemplateData {
    /// Sets the value; without one, the place stays nil.
    @inlinable public func write(to slot: TemplateSlot) {
        if let self { self.write(to: slot) }
    }
}

extension Array: TemplateData where Element: TemplateData {
    /// Appends each element.
    @inlinable public func write(to slot: TemplateSlot) {
        slot.openList()
        var place = slot.elements
        for index in indices where slot.begin(&place) { self[index].write(to: place) }
    }
}

extension Dictionary: TemplateData where Key == String, Value: TemplateData {
    /// Adds each entry under its key.
    public func write(to slot: TemplateSlot) {
        slot.openObject()
        for (name, value) in self {
            let field = slot.field(named: name)
            if field.isOpen { value.write(to: field) }
        }
    }
}
