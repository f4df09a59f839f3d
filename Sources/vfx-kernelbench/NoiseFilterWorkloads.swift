import Foundation
import Kernels

extension Workloads {
    /// The noise filter: one row of blocks over seven frames, and the aggregation of its sums.
    func collaborativeFilter(_ t: vfx_kernel_table) -> [Workload] {
        let width = 960, step = 4, blocks = (width - 8) / step + 1, frames = 7, stride = Self.stride
        let transform = memory(frames * frames) { index -> Float in
            let (k, n) = (Double(index / frames), Double(index % frames))
            let scale = (k == 0 ? 1 / Double(frames) : 2 / Double(frames)).squareRoot()
            return Float(scale * cos(Double.pi * (n + 0.5) * k / Double(frames)))
        }
        let sigma = memory(blocks) { _ in Float(6) }, spectrum = memory(64) { _ in Float(1) }
        let window = memory(64) { _ in Float(0.5) }
        let vectors = memory(2 * blocks) { _ in Int16(0) }
        let sums = memory(8 * width) { _ in Float(0) }, weights = memory(8 * width) { _ in Float(1) }
        let out = UnsafeMutableRawPointer.allocate(byteCount: 2 * width, alignment: 64)
        let measured = (0..<2).map { _ in memory(64 * blocks) { _ in Float(0) } }
        func group(_ source: UnsafeRawPointer, _ size: Int, frames: Int, pilot: Bool) -> UnsafeMutablePointer<
            vfx_collaborative_group
        > {
            let list = memory(frames) { index in
                let origin = source + ((10 + 3 * index) * stride + 64) * size
                return vfx_collaborative_frame(
                    origin: origin, pilot: pilot ? origin : nil, stride: stride, vectors: vectors)
            }
            return memory(1) { _ in
                vfx_collaborative_group(
                    frames: Int32(frames), centre: Int32(frames / 2), blocks: Int32(blocks), step: Int32(step),
                    width: Int32(width), transform: transform, spectrum: spectrum, sigma: sigma,
                    constant_scale: 0.5, threshold: 2.7, sum_stride: width, frame: list)
            }
        }
        func workload(_ name: String, _ units: Int, _ run: @escaping () -> Void) -> Workload {
            Workload(name: name, unit: units == width ? "pixel" : "block", units: units) { _ in run() }
        }
        func all(
            _ bits: String, _ source: UnsafeRawPointer, _ size: Int, _ maximum: Int32,
            shrink: @escaping (UnsafePointer<vfx_collaborative_group>) -> Void,
            noise: @escaping (UnsafePointer<vfx_collaborative_group>) -> Void,
            light: @escaping (UnsafePointer<vfx_collaborative_group>) -> Void,
            finish: @escaping () -> Void
        ) -> [Workload] {
            let plain = group(source, size, frames: frames, pilot: false)
            let second = group(source, size, frames: frames, pilot: true)
            return [
                workload("collaborative_shrink_row_\(bits)", blocks) { shrink(plain) },
                workload("collaborative_shrink_row_\(bits), pilot", blocks) { shrink(second) },
                workload("collaborative_noise_row_\(bits)", blocks) { noise(plain) },
                workload("collaborative_light_row_\(bits)", blocks) { light(plain) },
                workload("collaborative_aggregate_row_\(bits)", width, finish),
            ]
        }
        return all(
            "8", bytes[0], 1, 255, shrink: { t.collaborative_shrink_row_8($0, window, sums, weights) },
            noise: { t.collaborative_noise_row_8($0, measured[0], measured[1]) },
            light: { t.collaborative_light_row_8($0, measured[0], measured[1]) },
            finish: { t.collaborative_aggregate_row_8(out, sums, weights, Int32(width), 255) })
            + all(
                "16", words[0], 2, 1023, shrink: { t.collaborative_shrink_row_16($0, window, sums, weights) },
                noise: { t.collaborative_noise_row_16($0, measured[0], measured[1]) },
                light: { t.collaborative_light_row_16($0, measured[0], measured[1]) },
                finish: { t.collaborative_aggregate_row_16(out, sums, weights, Int32(width), 1023) })
    }

    /// Motion blur of a block along a path of nine taps.
    func motionBlur(_ t: vfx_kernel_table) -> [Workload] {
        let stride = Self.stride
        let taps = memory(9) { index in
            vfx_motion_blur_tap(
                source: Int32(index % 3), offset: Int32(37 * index + index % 4 * stride), step: 1,
                weight: index == 8 ? 16384 - 8 * 1820 - 9 * 100 : 1820, weight_next: 100)
        }
        let out = UnsafeMutableRawPointer.allocate(byteCount: 2 * 8 * 8, alignment: 64)
        func blocks(
            _ name: String, _ source: UnsafeRawPointer, _ size: Int, _ run: @escaping ([UnsafeRawPointer]) -> Void
        )
            -> Workload
        {
            let places = (0..<3).map { source + ((20 + 9 * $0) * stride + 128) * size }
            return Workload(name: name, unit: "call", units: 1) { _ in run(places) }
        }
        return [
            blocks("motion_blur_block_8", bytes[0], 1) {
                t.motion_blur_block_8(out, 8, 8, 8, $0, stride, taps, 9, 255)
            },
            blocks("motion_blur_block_16", words[0], 2) {
                t.motion_blur_block_16(out, 8, 8, 8, $0, stride, taps, 9, 1023)
            },
        ]
    }
}
