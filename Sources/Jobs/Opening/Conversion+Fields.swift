package import FrameCore
package import Imaging
package import MediaIO
package import Pipeline

extension Conversion {
    /// Whether the effects deinterlace by themselves.
    private var beginsDeinterlaced: Bool { effects.first?.settings is DeinterlaceStep }

    /// Whether it matters how the fields of the input are ordered.
    var readsFields: Bool { beginsDeinterlaced || input.fields != .off }

    /// How many frames are made of each interlaced one: of each field for effects that change the frame rate, since its
    /// motion is known twice as finely.
    private var fieldRate: FieldRate {
        let changesRate = effects.contains { $0.settings is SlomoStep || $0.settings is RateStep }
        return input.fieldRate ?? (changesRate ? .field : .frame)
    }

    /// Checks that the steps come in an order that is possible, and that the input does not say again what the first of them
    /// says.
    ///
    /// - Throws: `FrameError` that names the contradiction.
    func checkFields() throws(FrameError) {
        try EffectStep.checkOrder(of: effects)
        guard input.fields != .off || input.cadence == .auto else {
            throw FrameError(
                .invalidArgument, "--cadence says what becomes of telecined film, but --fields off leaves it as it is")
        }
        guard beginsDeinterlaced, input.fields != .auto || input.fieldRate != nil || input.cadence != .auto else {
            return
        }
        throw FrameError(
            .invalidArgument,
            "the first effect, 'deinterlace', has the fields and the rate among its own settings; leave out --fields, --field-rate, --cadence and --allow-interlaced"
        )
    }

    /// Returns the chain for an input whose fields are known: interlaced frames become progressive before anything else.
    func deinterlacing(_ chain: EffectChain, _ structure: FieldStructure, _ context: JobContext) throws -> EffectChain {
        if beginsDeinterlaced { return chain.knowing(structure) }
        guard let fields = input.fields.fields, fields != .auto || structure.order != nil else { return chain }
        return chain.deinterlaced(
            DeinterlacePass(
                fields: fields, rate: fieldRate, cadence: input.cadence, options: options(context.execution)), structure
        )
    }
}

extension OpenConversion {
    /// Which frames are deinterlaced before all other effects; nil for none.
    package var deinterlacedFields: DeinterlacePass.Fields? { (chain.effects.first as? DeinterlacePass)?.fields }
}

extension OpenConversion {
    /// A note if the pictures contradict the flags of the input.
    var notesOnFields: [Note] { [measurements.fields?.noteOnFlags].compactMap(\.self) }
}

extension FieldHandling {
    /// Which frames of an input are deinterlaced; nil for none.
    package func fields(of reader: MediaReader, context: ExecutionContext) throws -> DeinterlacePass.Fields? {
        guard let fields, fields == .auto else { return fields }
        let structure = try FieldStructure(of: reader, context: context)
        // The marks of the frames are not asked if they are known to be wrong.
        guard structure.isDecided, let order = structure.order, order != structure.flag else {
            return structure.order.map { _ in .auto }
        }
        return order == .topFirst ? .topFirst : .bottomFirst
    }
}

extension FieldStructure {
    /// The groups of frames looked at in a clip that is not flagged as interlaced.
    private static let fewPlaces = 4

    /// Looks at pictures of an input. What can be read only once is what its flags say, and so is what cannot be interlaced:
    /// video of more than 1,152 rows or 31 frames/s. Of streams without timestamps, only marked ones are looked at.
    ///
    /// - Throws: `FrameError` if the input can no longer be read.
    package init(of reader: MediaReader, context: ExecutionContext) throws {
        let flag = fieldOrder(of: reader), flagged = FieldStructure(flag.map(Kind.interlaced) ?? .progressive)
        let rate = reader.stream.nominalFrameRate?.doubleValue ?? 0
        func look(places: Int) throws -> FieldStructure {
            try FieldStructure(measuring: reader, flag: flag, places: places, context: context) ?? flagged
        }
        guard flag != nil || reader.isSeekable && reader.stream.height <= 1152 && rate <= 31 else {
            self = flagged
            return
        }
        let found = try look(places: flag == nil ? Self.fewPlaces : Self.places)
        // Marks are wrong only if pictures of the whole clip show it.
        guard flag == nil || found.order != nil || found.isDecided && reader.isSeekable else {
            self = flagged
            return
        }
        // What no flag says needs more evidence.
        self = flag == nil && found.order != nil ? try look(places: Self.places) : found
    }

    /// Whether the pictures are progressive although an input marks them as interlaced.
    func contradictsMarks(of reader: MediaReader) -> Bool { order == nil && fieldOrder(of: reader) != nil }

    /// A note if the pictures contradict the flags of the input.
    package var noteOnFlags: Note? { note(onFlagsThatSay: flag != nil, flag) }
}

/// Returns which field of an input's interlaced frames is shown first; nil if it is progressive.
private func fieldOrder(of reader: MediaReader) -> FieldOrder? {
    let stream = reader.info.streams.first { $0.index == reader.info.videoStream }
    return switch stream?.video?.fieldOrder {
    case .topFirst: .topFirst
    case .bottomFirst: .bottomFirst
    case .progressive, nil: nil
    }
}
