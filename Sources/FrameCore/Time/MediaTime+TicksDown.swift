extension MediaTime {
    /// Whole ticks of `1/timescale` seconds, rounded towards minus infinity.
    package func ticksDown(_ timescale: Int64) -> Int64 {
        let product = value.multipliedReportingOverflow(by: timescale)
        guard !product.overflow else { return value < 0 ? .min + 1 : .max }
        let quotient = product.partialValue / Int64(self.timescale)
        return product.partialValue % Int64(self.timescale) < 0 ? quotient - 1 : quotient
    }
}
