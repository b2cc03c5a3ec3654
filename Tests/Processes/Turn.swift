/// Lets other tasks run while a test waits for something; a test whose time limit has passed ends here.
package func turn() async throws {
    try Task.checkCancellation()
    await Task.yield()
}
