import Foundation
import FrameCore
import Pipeline

extension FuzzTarget {
    /// Recipes in JSON.
    static let recipe = FuzzTarget("recipe") { bytes in
        let recipe = try EffectRecipe(json: Data(bytes))
        let again = try EffectRecipe(json: Data(recipe.json.utf8))
        require(again == recipe, "a recipe read back differs from the one written")
        let chain = try recipe.chain(ConversionOptions())
        _ = (chain.stretch, chain.hasEvenTimes)
    }

    /// The value of `--chain`.
    static let stepText = FuzzTarget("chain", longestInput: 1024) { bytes in
        let recipe = try EffectRecipe(StepText.steps(String(decoding: bytes, as: UTF8.self)))
        let again = try EffectRecipe(json: Data(recipe.json.utf8))
        require(again == recipe, "a chain differs from the recipe it was written from")
    }
}
