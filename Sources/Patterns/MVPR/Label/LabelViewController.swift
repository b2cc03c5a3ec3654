import PatternCore
import PatternScreens

/// The view of the label.
final class LabelViewController: LabelPresenterOutput {
    private let navigation: Navigation
    private let presenter: any LabelPresenterInput

    init(_ navigation: Navigation, presenter: any LabelPresenterInput) {
        self.navigation = navigation
        self.presenter = presenter
    }

    func viewDidLoad() {
        presenter.initialLoading()
    }

    func nextButtonTapped() {
        trace()
        presenter.goToDetail()
    }

    func setupLabel(text: String) {
        trace()
        var page = CardPage(title: "Label", buttons: [.next])
        page.text = text
        navigation.show("card", page)
    }
}
