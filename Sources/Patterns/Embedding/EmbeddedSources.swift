import FoundationEssentials
import PackagePlugin

/// A plugin that, before each build of the gallery, writes the sources and the diagrams of the patterns into one file
/// of Swift, as texts to be shown.
@main
struct EmbeddedSources: BuildToolPlugin {
    /// Its arguments: the file that it writes, the folder of the patterns, and the paths of their files below that.
    private static let script = """
        cd "$1" && shift && {
            echo 'enum EmbeddedFiles {'
            echo '    static let all: [(path: String, text: String)] = ['
            for file; do
                printf '        ("%s", ########\"""\\n' "$file"
                cat "$file"
                printf '\\n\"""########),\\n'
            done
            echo '    ]'
            echo '}'
        } > "$0"
        """

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = context.package.directoryURL.appending(path: "Sources/Patterns")
        let paths = (FileManager.default.subpaths(atPath: folder.path(percentEncoded: false)) ?? []).sorted().filter {
            path in
            (path.hasSuffix(".swift") || path.hasSuffix(".svg"))
                && !path.hasPrefix("Gallery/") && !path.hasPrefix("Embedding/")
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the sources of the patterns",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, output.path(percentEncoded: false), folder.path(percentEncoded: false)]
                    + paths,
                inputFiles: paths.map { folder.appending(path: $0) },
                outputFiles: [output]
            )
        ]
    }
}
