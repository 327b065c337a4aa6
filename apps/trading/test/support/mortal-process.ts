import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a process does to itself when it comes to `point` for the time after `passes` others. */
export interface Fate {
  readonly point: string
  readonly passes: number
  readonly signal: 'SIGKILL' | 'SIGSTOP'
}

/** A process that takes its fate by message, ends by it, and is begun again. */
export function createMortal(program: string, args: readonly string[]) {
  let child: ChildProcess
  let fate: Fate | null = null
  const deaths: string[] = []
  const stills: string[] = []
  const begin = (): void => {
    const mine = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    // It may end while it is told something.
    mine.on('error', () => undefined)
    mine.on('message', (point) => stills.push(String(point)))
    mine.once('exit', () => {
      deaths.push(fate?.point ?? 'by itself')
      fate = null
    })
    child = mine
  }
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null
  begin()
  return {
    isAlive,
    begin,
    /** Where it has ended, once for each end. */
    deaths,
    /** Where it has stood still. */
    stills,
    isFated: (): boolean => fate !== null,
    meet(next: Fate): void {
      fate = next
      child.send(next, () => undefined)
    },
    /** Goes on where it stands still. */
    wake(): void {
      if (fate?.signal === 'SIGSTOP') fate = null
      child.kill('SIGCONT')
    },
    /** Kills it wherever it is. */
    async kill(point: string): Promise<void> {
      if (!isAlive()) return
      fate = { point, passes: 0, signal: 'SIGKILL' }
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
