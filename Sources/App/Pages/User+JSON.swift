import Roost

// Most of what the site sends is users, so they write themselves.
extension User: JSONWritable {
    func write(to object: borrowing JSONMembers) {
        object.member("id", id)
        object.member("name", name)
    }
}
