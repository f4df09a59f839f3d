/// Memory for intermediate results: elements at a fixed address, allocated once and freed at the end of its scope.
///
/// The elements are not initialized. A kernel that needs several rows takes them from one scratch, or holds one for each
/// kind of element.
@usableFromInline package struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    /// The first element.
    @usableFromInline package let base: UnsafeMutablePointer<Element>
    /// The number of elements.
    @usableFromInline package let count: Int

    /// - Parameter count: the number of elements; there may be none.
    @inlinable package init(_ count: Int) {
        self.count = count
        base = .allocate(capacity: max(1, count))
    }

    /// - Parameter value: the initial value of all elements.
    @inlinable package init(_ count: Int, filledWith value: Element) {
        self.init(count)
        base.initialize(repeating: value, count: count)
    }

    @inlinable deinit { base.deallocate() }

    @inlinable package subscript(_ index: Int) -> Element {
        get {
            assert((0..<count).contains(index))
            return base[index]
        }
        nonmutating set {
            assert((0..<count).contains(index))
            base[index] = newValue
        }
    }
}
