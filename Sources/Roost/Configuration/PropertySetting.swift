/// A setting, and the property that it sets.
struct PropertySetting<Root: Sendable>: Sendable {
    /// The name of the environment variable.
    let name: String
    /// A phrase for the values that it takes: `a whole number from 1 to 100`.
    let expectation: String
    private let readValue: @Sendable (inout SettingsReader, inout Root) -> Void
    private let writeValue: @Sendable (Root) -> String
    private let check: @Sendable (Root) -> String?

    /// - Parameter setting: Makes the setting from the property's default.
    init<Value: Sendable>(
        _ path: any WritableKeyPath<Root, Value> & Sendable, of root: Root,
        _ make: @escaping @Sendable (Value) -> Setting<Value>
    ) {
        let setting = make(root[keyPath: path])
        name = setting.name
        expectation = setting.expectation
        readValue = { reader, root in root[keyPath: path] = reader.read(make(root[keyPath: path])) }
        writeValue = { setting.write($0[keyPath: path]) }
        check = { root in
            let value = root[keyPath: path]
            return setting.accepts(value) ? nil : setting.mistake(setting.write(value))
        }
    }

    /// Gives the property the value of its variable. Without one, it keeps its own.
    func read(_ reader: inout SettingsReader, into root: inout Root) { readValue(&reader, &root) }

    /// The text that the variable would have.
    func text(in root: Root) -> String { writeValue(root) }

    /// Checks what a program has set.
    /// - Throws: ``StartError/configuration(_:)`` for a value that the variable could not have.
    func validate(_ root: Root) throws(StartError) {
        if let mistake = check(root) { throw .configuration(mistake) }
    }
}
