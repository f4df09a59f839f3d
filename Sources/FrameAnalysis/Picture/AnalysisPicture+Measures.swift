extension AnalysisPicture {
    /// All measures by name, for measuring programs.
    package var measures: [(name: String, value: [Float])] {
        let (light, texture) = (light, texture)
        return [
            ("noise", [noise.sigma]), ("blocks", [blocks.visibility]),
            (
                "light",
                [
                    light.mean, light.median, light.p1, light.p5, light.p95, light.p99, light.deviation,
                    light.clippedDark, light.clippedBright, light.uniformity, light.commonestShare, light.colorfulness,
                    light.veil,
                ]
            ),
            (
                "texture",
                [
                    texture.flatShare, texture.strokeShare, texture.strokesOnGround, texture.barness, texture.activity,
                    texture.twoToneShare,
                ]
            ),
            (
                "sharp",
                [
                    sharpness.total(across: true), sharpness.total(across: false), sharpness.quantile(0.5),
                    sharpness.quantile(0.85), sharpness.quantile(0.9),
                ]
            ), ("smudgeFeatures", SmudgeMeasures(self).features),
        ]
    }
}
