import PatternCore
import PatternScreens

/// The view of the label.
final class LabelViewController: ViewController, LabelPresenterOutput {
    private(set) var page = CardPage(title: "Label", buttons: [.next])
    private let presenter: any LabelPresenterInput

    init(presenter: any LabelPresenterInput) {
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
        page.text = text
    }
}
