/// A sample in memory: `UInt8` for 8-bit formats, `UInt16` for deeper ones.
///
/// Functions that are generic over it are compiled for both types with `@specialized` and called with
/// ``PixelFormat/sampleType``.
package protocol PixelSample: FixedWidthInteger, UnsignedInteger, BitwiseCopyable, Sendable {}
extension UInt8: PixelSample {}
extension UInt16: PixelSample {}

extension PixelFormat {
    /// The type of a sample in memory.
    package var sampleType: any PixelSample.Type { Self.typeOfSample(bitDepth: bitDepth) }

    /// Returns the type of a sample of a depth in memory.
    package static func typeOfSample(bitDepth: Int) -> any PixelSample.Type { bitDepth > 8 ? UInt16.self : UInt8.self }
}

/// The two versions of a kernel: for samples of 8 bits, which take a byte, and for deeper ones, which take a word.
@usableFromInline package struct KernelPair<Kernel> {
    @usableFromInline let bytes: Kernel
    @usableFromInline let words: Kernel

    @inlinable package init(_ bytes: Kernel, _ words: Kernel) { (self.bytes, self.words) = (bytes, words) }

    /// The version for samples of a depth.
    @inlinable package subscript(bitDepth depth: Int) -> Kernel { depth > 8 ? words : bytes }

    /// The version for samples of a size in memory.
    @inlinable package subscript(bytesPerSample size: Int) -> Kernel { size > 1 ? words : bytes }
}
