/// The last part of a path as people read it; `-` is standard input.
package func fileName(of path: String) -> String {
    path == "-" ? "standard input" : path.split(separator: "/").last.map(String.init) ?? path
}
