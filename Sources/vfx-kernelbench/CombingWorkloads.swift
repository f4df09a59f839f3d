import Kernels

extension Workloads {
    /// The measurement of fields: a row of blocks of two frames.
    func combing(_ t: vfx_kernel_table) -> [Workload] {
        let blocks = 120, rows = 16, stride = Self.stride
        let sums = memory(blocks) { _ in vfx_combing() }
        func workload(_ name: String, _ run: @escaping (_ row: Int, _ set: Int) -> Void) -> Workload {
            Workload(name: name, unit: "pixel", units: 16 * blocks * rows) { run((2 + $0 % 40) * stride, $0 & 1) }
        }
        return [
            workload("combing_row_8") {
                t.combing_row_8(
                    sums, bytes[$1] + $0, stride, bytes[1 - $1] + $0, stride, Int32(blocks), Int32(rows), 0, 2)
            },
            workload("combing_row_16") {
                t.combing_row_16(
                    sums, words[$1] + $0, stride, words[1 - $1] + $0, stride, Int32(blocks), Int32(rows), 0, 8)
            },
        ]
    }
}
