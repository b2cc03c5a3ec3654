import Roost

extension Jobs: StartChecking {
    /// Looks for a mistake in the types, the queues or the schedules.
    package func checkStart() throws {
        if kinds.count < types.count {
            let names = Dictionary(grouping: types, by: \.name).filter { $1.count > 1 }.keys.sorted()
            throw StartError.configuration("Two types of jobs have the name \(names[0]): give one of them another.")
        }
        for type in types where queues[type.queue] == nil {
            throw StartError.configuration(
                "Nobody runs \(type.name), which waits in the queue \(type.queue): "
                    + "add \"\(type.queue)\": 4 to the queues.")
        }
        for type in types { try type.check() }
        for (queue, places) in queues.sorted(by: { $0.key < $1.key }) where places < 1 {
            throw StartError.configuration("The queue \(queue) has \(places) places for jobs: give it at least 1.")
        }
        for schedule in schedules where kinds[schedule.kind] == nil {
            throw StartError.configuration(
                "Nobody runs \(schedule.kind), which the schedule \"\(schedule.line)\" adds: add its type to those of "
                    + "Jobs(…), or give the schedule to the program that has it.")
        }
        var names: Set<String> = []
        for name in try schedules.map({ try $0.check() }) where !names.insert(name).inserted {
            throw StartError.configuration("Two schedules have the name \(name): give one of them another (name:).")
        }
    }
}
