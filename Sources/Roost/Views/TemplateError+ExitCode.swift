import Glibc

extension TemplateError: ExitError {
    /// 78: the template has to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}

extension TemplateErrors: ExitError {
    /// 78: the templates have to be changed.
    public var exitCode: Int32 { EX_CONFIG }
}
