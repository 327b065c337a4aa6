import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those that wait for databases and processes first: those that only work fill the processors to the end. */
const PROJECTS = ['rooms', 'apart', 'pages', 'pure']
/** Files of `rooms` that mostly wait, for clocks, processes and connections. */
const WAITS = /\/(main|[^/]*(killed|lost|storm|soak|fail-over|locks|events|live|shared|download|query))[^/]*$/

const isWaiting = ({ project, moduleId }: TestSpecification) => project.name === 'rooms' && WAITS.test(moduleId)
const placeOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)

/**
 * The order of a run without durations of an earlier one: every other file waits, as long as there are such; the rest go
 * by their size, the largest first.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
    const waiting = sorted.filter(isWaiting)
    const working = sorted.filter((file) => !isWaiting(file))
    return [...working.flatMap((file, i) => [...waiting.slice(i, i + 1), file]), ...waiting.slice(working.length)]
  }
}
