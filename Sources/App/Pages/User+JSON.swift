import Roost

// Most of what the site sends is users, so they write themselves.
extension User: SelfWriting {
    func write(to fields: inout Fields) {
        fields.add("id", id)
        fields.add("name", name)
    }
}
