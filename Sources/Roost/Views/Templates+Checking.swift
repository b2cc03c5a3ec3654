import Glibc

/// Checks that templates and pages agree, for tests.
extension Templates {
    /// Renders a template with a sample of its page and reports all missing names together.
    ///
    /// - Throws: ``TemplateErrors`` with every name that the page does not have, or whatever `render` throws.
    public func check(_ name: String, _ page: some Encodable) throws {
        let review = TemplateReview()
        _ = try render(name, page, review: review)
        if !review.missing.isEmpty { throw TemplateErrors(errors: review.missing.inReadingOrder()) }
    }

    /// Checks all views of an application with samples of their pages.
    ///
    ///     @Test func `every view renders`() throws {
    ///         try Templates(directory: "Templates").check([
    ///             View("users/index", UsersPage(users: [ann], error: nil)),
    ///             View("users/index", UsersPage(users: [], error: "A name is needed.")),
    ///         ])
    ///     }
    ///
    /// Each view is rendered once with each sample of the values that the application gives to every page. Whatever no
    /// sample shows is unchecked, and therefore an error, too: a template that neither a view nor another rendered
    /// template uses, and a section, `{{#error}}` or `{{^error}}`, that no sample opens.
    /// - Parameter pageValues: Samples of the values that the application's `pageValues` may return.
    /// - Throws: ``TemplateErrors`` with all of them, each with its place; any error of a page that encodes itself.
    public func check(_ views: [View], pageValues: [any Encodable & Sendable] = []) throws {
        let templates = try frozen
        let review = TemplateReview()
        for view in views {
            for values in pageValues.isEmpty ? [nil] : pageValues.map(Optional.some) {
                do {
                    _ = try view.render(templates, values, review, nil) { nil }
                } catch let error as TemplateError {
                    review.add(error)
                }
            }
        }
        let errors = review.missing + (review.unseen(in: try templates.program))
        if !errors.isEmpty { throw TemplateErrors(errors: errors.inReadingOrder()) }
    }
}

extension TemplateError: ExitError {
    /// 78: the template has to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}

extension TemplateErrors: ExitError {
    /// 78: the templates have to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}
