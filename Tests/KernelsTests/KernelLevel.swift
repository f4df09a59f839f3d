import Kernels
import Testing

/// A level above C whose kernels are compared with C's.
struct KernelLevel: Sendable, CustomTestStringConvertible {
    let level: vfx_cpu_level

    /// Levels above C that this processor runs; the others' tests are reported as skipped by ``LevelTests``.
    static let aboveC = [VFX_CPU_SSE41, VFX_CPU_AVX2, VFX_CPU_AVX512].filter(isAvailable).map { KernelLevel(level: $0) }

    /// Those of ``aboveC`` that have a version of `slot` of their own.
    static func with(_ slot: String) -> [KernelLevel] {
        aboveC.filter { Slots.onlyC[slot] == nil && ($0.level != VFX_CPU_SSE41 || !Slots.withoutSSE41.contains(slot)) }
    }

    static func isAvailable(_ level: vfx_cpu_level) -> Bool { level.rawValue <= vfx_cpu_detect().rawValue }

    var testDescription: String { String(cString: vfx_cpu_name(level)) }

    /// The tables of C and of this level; fails where C's function would be compared with itself.
    func tables(for slot: String) throws -> (c: vfx_kernel_table, level: vfx_kernel_table) {
        let c = vfx_kernels_make(VFX_CPU_C), mine = vfx_kernels_make(level)
        #expect(mine.level == level)
        let index = try #require(Slots.names.firstIndex(of: slot), "\(slot) is not a slot")
        try #require(Slots.addresses(mine)[index] != Slots.addresses(c)[index], "\(slot) at \(testDescription) is C's")
        return (c, mine)
    }
}

/// The slots of the table, in the order of the header.
enum Slots {
    static let names = [
        "downsample", "reduce_depth", "sad_4x4", "sad_8x8", "sad_16x16", "sad_8x8_x4", "sad_16x16_x4", "satd_4x4",
        "satd_8x8",
        "gradient_8x8", "patch_8x8", "sad_subpixel_8x8", "flow_average_row", "flow_prepare_row", "flow_measure_row",
        "flow_solve_row", "upsample_row", "warp_row_8", "warp_row_16", "blend_row_8", "blend_row_16",
        "collaborative_shrink_row_8", "collaborative_shrink_row_16", "collaborative_noise_row_8",
        "collaborative_noise_row_16", "collaborative_aggregate_row_8",
        "collaborative_aggregate_row_16",
        "gather_block_8", "gather_block_16", "resample_column_8", "resample_column_16", "resample_row_8",
        "resample_row_16",
        "detail_transfer_weight_row", "detail_transfer_difference_row", "detail_transfer_spread_row",
        "detail_transfer_extract_row_8",
        "detail_transfer_extract_row_16", "detail_transfer_merge_row_8", "detail_transfer_merge_row_16",
        "superres_features", "superres_output_8", "superres_output_16", "superres_input_transform",
        "superres_features_winograd",
        "superres_pairs_8", "superres_pairs_16",
    ]
    /// Slots that no level replaces, with the reason.
    static let onlyC = [
        "flow_prepare_row": "its time goes into the gradient kernel it is handed",
        "superres_pairs_8": "once per row and layer of a strip it is copied, for a hundredth of the time",
        "superres_pairs_16": "likewise",
    ]
    static let withoutSSE41 = Set([
        "flow_average_row", "flow_measure_row", "flow_solve_row", "upsample_row", "warp_row_8", "warp_row_16",
        "collaborative_shrink_row_8", "collaborative_shrink_row_16", "collaborative_noise_row_8",
        "collaborative_noise_row_16", "collaborative_aggregate_row_8",
        "collaborative_aggregate_row_16",
        "gather_block_8", "gather_block_16", "resample_column_8", "resample_column_16", "resample_row_8",
        "resample_row_16",
        "detail_transfer_weight_row", "detail_transfer_difference_row", "detail_transfer_spread_row",
        "detail_transfer_extract_row_8",
        "detail_transfer_extract_row_16", "detail_transfer_merge_row_8", "detail_transfer_merge_row_16",
    ])
    .union(onlyC.keys)

    /// Addresses of the functions of a table.
    static func addresses(_ table: vfx_kernel_table) -> [UInt] {
        withUnsafeBytes(of: table) { bytes in
            let first = MemoryLayout<vfx_kernel_table>.offset(of: \.downsample) ?? 0
            return stride(from: first, to: bytes.count, by: MemoryLayout<UInt>.size).map {
                bytes.load(fromByteOffset: $0, as: UInt.self)
            }
        }
    }
}
