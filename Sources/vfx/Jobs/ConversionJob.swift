internal import ArgumentParser
internal import CommandLineCore
internal import FrameCore
internal import Jobs

/// How a conversion is run, as the command line says it: everything but the job itself.
struct RunOptions {
    var overwrites: Bool
    var resumes: Bool
    /// The option as given; nil selects one thread per core.
    var threads: String?
    var preview: PreviewOptions
    var division: DivisionOptions
    var report: ReportOptions
    /// The error message for a single image, with advice; nil accepts single images.
    var adviceOnStills: String?
    /// Whether each effect is reported on its own.
    var reportsEffects = false
}

/// Runs a conversion: at once, as an estimate, or as a plan for many machines.
struct ConversionJob {
    private let options: RunOptions

    init(_ options: RunOptions) { self.options = options }

    /// - Parameter conversion: returns the job; its errors are those of options.
    /// - Throws: ``JobFailure``, or `ExitCode` if the input is damaged.
    func run(_ conversion: () throws -> Conversion) throws {
        let division = options.division
        guard division.plan != nil || !division.planByDecoding else {
            throw JobFailure("--plan-by-decoding applies to --plan; name its folder", .usage)
        }
        guard !options.preview.estimate || division.plan == nil else {
            throw JobFailure("--estimate and --plan are mutually exclusive; give only one of them", .usage)
        }
        let (execution, job) = try during(.options) {
            let execution = ExecutionContext(threads: try OptionValue.threads(options.threads))
            var job = try conversion()
            job.input.part = try options.preview.part(or: job.input.part)
            try options.report.check(output: job.output.file)
            return (execution, job)
        }
        if options.preview.printJob {
            guard !options.preview.estimate, division.plan == nil, options.preview.previewReport == nil else {
                throw JobFailure(
                    "--print-job prints the job and does nothing else; leave out --estimate, --plan and --preview-report",
                    .usage)
            }
            try during(.options) { _ = try job.checkedChain(execution) }
            guard Console.writeOut(try job.json) else { throw JobFailure("the job cannot be written", .writeFailed) }
            return
        }
        let reporter = Reporter(options: options.report, reportsEffects: options.reportsEffects)
        let context = JobContext(execution, observer: reporter, interruption: Signals.shared)
        let policy = RunPolicy(
            overwrites: options.overwrites, resumes: options.resumes, adviceOnStills: options.adviceOnStills)
        if options.preview.estimate {
            let estimate = try job.estimate(context, adviceOnStills: options.adviceOnStills)
            reporter.estimated(estimate, input: job.input.file, output: job.output.file)
        } else if let folder = division.plan {
            let planned = try job.plan(
                into: folder, context, policy, choosesThreads: options.threads != nil,
                byDecoding: division.planByDecoding)
            reporter.tell(notes: planned.damage.repairs.map { Note("times-repaired", $0) }, damage: planned.damage)
            reporter.planned(planned.plan, in: folder, doubt: planned.doubt)
        } else {
            try convert(job, context, policy)
        }
    }

    private func convert(_ job: Conversion, _ context: JobContext, _ policy: RunPolicy) throws {
        let open = try job.open(context, for: .whole(policy))
        let page = options.preview.previewReport.map {
            PreviewReport(page: $0, input: job.input.file, output: job.output.file, overwrites: options.overwrites)
        }
        try during(.openingOutput) { try page?.check(OutputKind(job.output)) }
        let stretch = open.chain.retiming.constantFactor ?? Rational(1, 2)
        guard page == nil || stretch.denominator == 1 else {
            throw JobFailure("--preview-report compares with slow motion by a whole factor only", .usage)
        }
        let isDamaged = try open.run(policy)
        if let page, let part = open.part {
            try page.write(
                part.located.part, open.readerOptions, fields: open.deinterlacedFields,
                stretch: Int(stretch.numerator), context: context.execution)
        }
        if isDamaged { throw ExitCode(JobExitCode.doneWithDamage.rawValue) }
    }
}
