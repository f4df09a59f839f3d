import FrameCore
import Testing

@Suite struct ExecutionContextTests {
    @Test func threadsAreAtLeastOne() {
        #expect(ExecutionContext(threads: 0).threads == 1)
        #expect(ExecutionContext(threads: 3).threads == 3)
        #expect(ExecutionContext().threads >= 1)
    }

    @Test func plainCIsTheLowestLevel() {
        #expect(KernelTable.levelNames.first == "c")
        #expect(KernelTable.architectureLevelNames.starts(with: KernelTable.levelNames))
    }

    @Test(arguments: KernelTable.all) func aTableIsThatOfItsLevel(_ table: KernelTable) {
        let context = ExecutionContext(threads: 2, kernels: table)
        #expect(context.instructionSet == table.name)
        #expect(context.kernels.pointee.level == Int32(KernelTable.levelNames.firstIndex(of: table.name) ?? -1))
        #expect((context == ExecutionContext(threads: 2)) == (table.name == ExecutionContext.serial.instructionSet))
    }
}
