/// The source of the detail. The documents' repository calls a completion at once; this one returns.
package struct DetailRepository: Sendable {
    package init() {}

    package func loadData() -> DetailModel {
        trace()
        return DetailModel(name: "Detail")
    }
}
