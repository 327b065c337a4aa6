import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that wait for databases and processes first: those that only work fill the processors to the end. */
const PROJECTS = ['rooms', 'apart', 'pages', 'pure']
/** What waits longest, for clocks, processes and connections. Others go by their size, the largest first. */
const WAITS = /main|killed|lost|storm|soak|fail-over|locks|events|live|shared|download|query-counts/

/** The order of a run without durations of an earlier one. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ project, moduleId }: TestSpecification) =>
      2 * PROJECTS.indexOf(project.name) - (WAITS.test(moduleId.slice(moduleId.lastIndexOf('/'))) ? 1 : 0)
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
