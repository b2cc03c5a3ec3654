/// A member of a merge patch, whatever its type is.
private protocol PatchMember {}

extension MergePatch: PatchMember {}

extension SchemaBook {
    /// Whether a type that is read is a merge patch: whether it has a property of the type ``MergePatch``.
    func isMergePatch(_ type: any Any.Type) -> Bool {
        func open<Value>(_ type: Value.Type) -> Bool {
            guard let value = try? sample(of: type) else { return false }
            return Mirror(reflecting: value).children.contains { $0.value is any PatchMember }
        }
        return open(type)
    }
}
