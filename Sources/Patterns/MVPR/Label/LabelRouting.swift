/// Where presenters can ask to go. They do not know how one gets there.
protocol LabelRouting: AnyObject {
    func showDetail()
    func dismissDetail()
}
