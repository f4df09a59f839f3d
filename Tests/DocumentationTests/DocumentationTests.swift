import Testing

/// All code in articles is compiled and run here, so it cannot become outdated.
@Suite struct DocumentationTests {
    @Test func articlesShowCompiledCode() throws {
        let snippets = Set(try PackageFiles.snippets())
        var shown: Set<CodeBlock> = []
        for path in try PackageFiles.articles() {
            for block in codeBlocks(in: try PackageFiles.text(path), from: "```swift", to: "```") {
                let code = block.withoutImports
                #expect(snippets.contains(code), "\(path) shows code that no test compiles:\n\(block)")
                for name in block.imports.map({ $0.dropFirst("import ".count) }) {
                    #expect(PackageFiles.modules.contains(String(name)), "\(path) imports \(name)")
                }
                shown.insert(code)
            }
        }
        for snippet in snippets.subtracting(shown) { Issue.record("no article shows:\n\(snippet)") }
        #expect(shown.count >= 20)
    }

    @Test func everyModuleHasALandingPage() throws {
        for module in PackageFiles.modules {
            let page = try PackageFiles.text("Sources/\(module)/\(module).docc/\(module).md")
            #expect(page.hasPrefix("# ``\(module)``\n"))
        }
    }

    @Test func blocksAreTakenOutWhole() {
        let text = "a\n  ```swift\n    import X\n\n    b\n      c  \n  ```\n```sh\nd\n```\n"
        let blocks = codeBlocks(in: text, from: "```swift", to: "```")
        #expect(blocks == [CodeBlock(["import X", "", "b", "  c"])])
        #expect(blocks.first?.imports == ["import X"])
        #expect(blocks.first?.withoutImports == CodeBlock(["b", "  c"]))
    }
}
