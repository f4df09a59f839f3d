import CLibAV
import FrameCore

/// Tags, time code and chapters of an output.
extension MediaWriterSetup {
    /// Whether the container stores the time code of the first frame, from which those of all frames follow.
    var keepsTimeCode: Bool {
        guard let source, format.holdsTimeCode else { return false }
        return [source.video.metadata, source.metadata].contains { !timeCode(in: $0, of: source).isEmpty }
    }

    /// Returns the time code of the first frame of the output as the tag that stores it, if the source's tags have one.
    func timeCode(in tags: [String: String], of source: MediaSourceDescription) -> [String: String] {
        guard let (name, text) = tags.first(where: { $0.key.lowercased() == "timecode" }),
            let rate = source.frameRate, let code = TimeCode(text, rate: rate)
        else { return [:] }
        let offset = (source.part?.start ?? source.start) - source.start
        let frame = Rational(rate.denominator, rate.numerator)
        let first = code.advanced(by: Int(clamping: offset.ticks(of: frame)))
        return [name: "\(stream.nominalFrameRate.flatMap { first.converted(to: $0) } ?? first)"]
    }

    /// Writes the file's tags.
    ///
    /// - Returns: a sentence that names the tags that the container cannot store; nil when there are none.
    func addTags(to muxer: Muxer) -> String? {
        var tags = source.map { OutputFormat.fileTags($0.metadata) } ?? [:]
        if let source { tags.merge(timeCode(in: tags, of: source)) { $1 } }
        tags.merge(options.metadata) { $1 }
        OptionDictionary.add(tags, to: &muxer.pointer.pointee.metadata)
        return source == nil ? nil : format.loss(ofTags: tags.keys)
    }

    /// Writes the chapters.
    ///
    /// - Returns: the number of chapters that end before the output starts.
    func addChapters(
        of source: MediaSourceDescription, to muxer: Muxer, shift: MediaTime
    ) throws(FrameError) -> Int {
        // Times of a part count from its beginning.
        let shift = shift - retiming.time(of: source.part?.start ?? .zero)
        let wanted = source.chapters.compactMap { $0.cut(to: source.part) }.filter { !retiming.hides($0.start) }
        let chapters = wanted.compactMap { $0.retimed(by: retiming, shift: shift) }
        guard !chapters.isEmpty else { return wanted.count }
        let table = try allocated(
            av_calloc(chapters.count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride), "the chapter table")
        let entries = table.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        muxer.pointer.pointee.chapters = entries
        for (index, chapter) in chapters.enumerated() {
            let memory = try allocated(av_mallocz(MemoryLayout<AVChapter>.size), "a chapter")
            let entry = memory.assumingMemoryBound(to: AVChapter.self)
            entries[index] = entry
            muxer.pointer.pointee.nb_chapters = UInt32(index + 1)
            let base = Rational(1, (chapter.end - chapter.start).timescale)
            entry.pointee.id = Int64(index + 1)
            entry.pointee.time_base = base.av
            entry.pointee.start = chapter.start.ticks(of: base)
            entry.pointee.end = chapter.end.ticks(of: base)
            OptionDictionary.add(chapter.metadata, to: &entry.pointee.metadata)
        }
        return wanted.count - chapters.count
    }
}

extension MediaChapter {
    /// Returns the chapter as far as it lies in a part of the clip; nil if it does not.
    fileprivate func cut(to part: LocatedPart?) -> MediaChapter? {
        guard let part else { return self }
        var chapter = self
        chapter.start = max(start, part.start)
        chapter.end = part.end.map { min(end, $0) } ?? end
        return chapter.start < chapter.end ? chapter : nil
    }
    /// Returns the chapter on the output's clock; nil if it ends before zero.
    fileprivate func retimed(by retiming: Retiming, shift: MediaTime) -> MediaChapter? {
        var chapter = self
        chapter.start = max(MediaTime(value: 0, timescale: start.timescale), retiming.time(of: start) + shift)
        chapter.end = retiming.time(of: end) + shift
        return chapter.start < chapter.end ? chapter : nil
    }
}
