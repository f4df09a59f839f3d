extension JSONValue {
    /// Creates the JSON of a value in the format of `--json`.
    ///
    /// Members keep the order of their declaration, and their names are converted from camel case to snake case. A
    /// missing value is null, unless it is ``OmittedIfNil``. Floating-point numbers have three decimal places, and
    /// ``SixDecimals`` six.
    ///
    /// - Throws: the error of a value that refuses to be encoded.
    package init(encoding value: some Encodable) throws { self = try Node(value).json }
}

/// A number printed with six decimal places.
package struct SixDecimals: Encodable, Sendable {
    package let value: Double

    package init(_ value: Double) { self.value = value }
}

/// A member that is left out of its object, instead of being null, if it has no value.
@propertyWrapper
package struct OmittedIfNil<Value: Encodable & Sendable>: Encodable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

extension OmittedIfNil: Omissible {
    fileprivate var isOmitted: Bool { wrappedValue == nil }
}

private protocol Omissible {
    var isOmitted: Bool { get }
}

/// An object whose keys are data, such as tags, and are printed as they are.
package struct NamedValues<Value: Encodable & Sendable>: Encodable, Sendable {
    private let entries: [(name: String, value: Value)]

    package init(_ entries: [(name: String, value: Value)]) { self.entries = entries }

    /// Sorts the entries by name.
    package init(_ entries: [String: Value]) {
        self.init(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: VerbatimKey.self)
        for entry in entries { try members.encode(entry.value, forKey: VerbatimKey(stringValue: entry.name)) }
    }
}

/// A key that is not converted to snake case.
private struct VerbatimKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// A value that is being encoded. It is a class, because containers add to it after they have been handed out.
private final class Node {
    private enum Content {
        case value(JSONValue)
        case array([Node])
        case object([(String, Node)])
    }

    private var content = Content.value(.null)

    init() {}

    init(_ value: some Encodable) throws {
        switch value {
        case let value as String: content = .value(.string(value))
        case let value as Bool: content = .value(.bool(value))
        case let value as any BinaryInteger: content = .value(.int(Int(clamping: value)))
        case let value as Double: content = .value(.double(value))
        case let value as Float: content = .value(.double(Double(value)))
        case let value as SixDecimals: content = .value(.fine(value.value))
        default: try value.encode(to: NodeEncoder(node: self))
        }
    }

    var json: JSONValue {
        switch content {
        case .value(let value): value
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(members.map { ($0.0, $0.1.json) })
        }
    }

    var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    func becomeArray() { if case .value = content { content = .array([]) } }
    func becomeObject() { if case .value = content { content = .object([]) } }
    func become(_ other: Node) { content = other.content }

    @discardableResult
    func append(_ element: Node) -> Node {
        if case .array(var elements) = content {
            content = .value(.null)  // so that the array is not copied
            elements.append(element)
            content = .array(elements)
        }
        return element
    }

    @discardableResult
    func append(_ member: Node, named name: String) -> Node {
        if case .object(var members) = content {
            members.append((name, member))
            content = .object(members)
        }
        return member
    }
}

private struct NodeEncoder: Encoder {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(Members(node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    private func name(_ key: any CodingKey) -> String {
        key is VerbatimKey ? key.stringValue : key.stringValue.camelCaseWords(separatedBy: "_")
    }

    func encodeNil(forKey key: Key) { node.append(Node(), named: name(key)) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        if let value = value as? any Omissible, value.isOmitted { return }
        node.append(try Node(value), named: name(key))
    }

    // The defaults of the protocol leave out what is nil.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(value, forKey: key) }
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try encode(value, forKey: key) }

    func nestedContainer<Nested>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(node: node.append(Node(), named: name(key))).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.append(Node(), named: name(key))).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NodeEncoder(node: node.append(Node(), named: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.append(Node(), named: name(key))) }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() { node.append(Node()) }
    func encode(_ value: some Encodable) throws { node.append(try Node(value)) }

    func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(node: node.append(Node())).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.append(Node())).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { NodeEncoder(node: node.append(Node())) }
}

private struct Single: SingleValueEncodingContainer {
    let node: Node
    var codingPath: [any CodingKey] { [] }

    func encodeNil() {}
    func encode(_ value: some Encodable) throws { node.become(try Node(value)) }
}
