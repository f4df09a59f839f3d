extension FlowField {
    /// Returns the field with other motion in some cells: layer by layer from the outside, each takes the mean of the cells
    /// beside it. They count as consistent and as well matched.
    ///
    /// - Parameter marks: not 0 for the cells that get other motion; of the size of the field.
    package func filled(where marks: Buffer2D<UInt8>) -> FlowField {
        let vectors = Buffer2D(copying: cells.vectors), costs = Buffer2D(copying: cells.costs)
        let errors = Buffer2D(copying: consistencyErrors), unknown = Buffer2D(copying: marks)
        var left = (0..<unknown.count).filter { unknown.base[$0] != 0 }
        for index in left { (costs.base[index], errors.base[index]) = (0, 0) }
        while !left.isEmpty {
            var inner: [Int] = [], layer: [Int] = []
            for index in left {
                let x = index % columns, y = index / columns
                var sum = SIMD2<Int32>.zero, count: Int32 = 0
                for j in max(0, y - 1)...min(rows - 1, y + 1) {
                    for i in max(0, x - 1)...min(columns - 1, x + 1) where unknown[i, j] == 0 {
                        sum &+= SIMD2<Int32>(truncatingIfNeeded: vectors[i, j])
                        count += 1
                    }
                }
                guard count > 0 else {
                    inner.append(index)
                    continue
                }
                vectors.base[index] = MotionVector(clamping: sum / SIMD2(repeating: count))
                layer.append(index)
            }
            for index in layer { unknown.base[index] = 0 }
            // Without any other cell there is nothing to fill from.
            if layer.isEmpty { break }
            left = inner
        }
        return FlowField(
            width: width, height: height, level: level, cells: MotionVectorField(vectors: vectors, costs: costs),
            consistencyErrors: errors, confidence: lazyConfidence)
    }
}
