import PackagePlugin

/// Before each build of the gallery, writes the sources of its patterns into a file of Swift, as text to be shown.
@main
struct EmbeddedSources: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let patterns = target.dependencies.compactMap { dependency -> SwiftSourceModuleTarget? in
            guard case .target(let module) = dependency, module.name.hasPrefix("Pattern") else { return nil }
            return module as? SwiftSourceModuleTarget
        }
        let files = patterns.flatMap { $0.sourceFiles(withSuffix: "swift").map(\.url) }
            .sorted { $0.path() < $1.path() }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the sources of the patterns",
                executable: try context.tool(named: "EmbedSources").url,
                arguments: [output.path()] + files.map { $0.path() },
                inputFiles: files,
                outputFiles: [output]
            )
        ]
    }
}
