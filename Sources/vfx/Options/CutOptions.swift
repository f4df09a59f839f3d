public import ArgumentParser
public import Pipeline

extension CutTreatment: ExpressibleByArgument {}

/// What is shown across a scene cut; for commands that add frames.
struct CutOptions: ParsableArguments {
    @Option(help: "What to show across a scene cut.")
    var atCut: CutTreatment = .hold

    func applied(to options: ConversionOptions) -> ConversionOptions {
        var options = options
        options.atCut = atCut
        return options
    }
}
