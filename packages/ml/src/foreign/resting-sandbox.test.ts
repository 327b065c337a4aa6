import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { restingSandbox } from './resting-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** Sandboxes that count themselves; a run ends when told to. */
function processes() {
  const opened: { alive: boolean; runs: number; end(): void; fail(reason: string): void }[] = []
  const open = async (): Promise<Sandbox> => {
    let run: PromiseWithResolvers<void>
    const own = {
      alive: true,
      runs: 0,
      end: () => run.resolve(),
      fail(reason: string) {
        own.alive = false
        run.reject(new Error(reason))
      },
    }
    opened.push(own)
    return {
      get alive() {
        return own.alive
      },
      run: async () => {
        own.runs++
        run = Promise.withResolvers<void>()
        await run.promise
        return { quantiles: new Float32Array(0), upLogit: new Float32Array(0) }
      },
      limit: () => () => {},
      close: () => {
        own.alive = false
      },
    }
  }
  return { opened, open }
}
const NOTHING = [new Float32Array(0), [0, 1, 1]] satisfies Parameters<Sandbox['run']>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('a resting sandbox ends its idle process after a while, and starts another for the next run', async () => {
  const { opened, open } = processes()
  const sandbox = restingSandbox(await open(), open, 1000)
  const run = sandbox.run(...NOTHING)
  await vi.advanceTimersByTimeAsync(5000)
  expect(opened.map(({ alive }) => alive)).toEqual([true])
  opened[0]!.end()
  await run
  await vi.advanceTimersByTimeAsync(999)
  expect(opened[0]!.alive).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(opened[0]!.alive).toBe(false)
  // Two at once share the new one, and the rest begins after the second.
  const both = [sandbox.run(...NOTHING), sandbox.run(...NOTHING)]
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.map(({ alive }) => alive)).toEqual([false, true])
  opened[1]!.end()
  await both[0]
  await vi.advanceTimersByTimeAsync(5000)
  opened[1]!.end()
  await both[1]
  await vi.advanceTimersByTimeAsync(999)
  expect(opened.map(({ alive }) => alive)).toEqual([false, true])
  await vi.advanceTimersByTimeAsync(1)
  expect(opened.map(({ alive }) => alive)).toEqual([false, false])
  expect(sandbox.alive).toBe(true)
})

it('runs one at a time, and the next in another process where one took too long', async () => {
  const { opened, open } = processes()
  const sandbox = restingSandbox(await open(), open, 1000)
  const late = sandbox.run(...NOTHING).catch((error: Error) => error.message)
  const next = sandbox.run(...NOTHING)
  await vi.advanceTimersByTimeAsync(0)
  expect(opened[0]!.runs).toBe(1)
  opened[0]!.fail('it took longer than 5 s')
  expect(await late).toBe('it took longer than 5 s')
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.map(({ alive, runs }) => [alive, runs])).toEqual([
    [false, 1],
    [true, 1],
  ])
  opened[1]!.end()
  await next
})

it('tries to start a process again after one that did not start', async () => {
  const { opened, open } = processes()
  let works = false
  const first = await open()
  const sandbox = restingSandbox(first, () => (works ? open() : Promise.reject(new Error('no memory'))), 1000)
  first.close()
  await expect(sandbox.run(...NOTHING)).rejects.toThrow('no memory')
  works = true
  const run = sandbox.run(...NOTHING)
  await vi.advanceTimersByTimeAsync(0)
  opened[1]!.end()
  await run
})

it('leaves no process behind where it is closed while one starts', async () => {
  const { opened, open } = processes()
  const started = Promise.withResolvers<void>()
  const slowly = () => started.promise.then(open)
  const sandbox = restingSandbox(await open(), slowly, 1000)
  await vi.advanceTimersByTimeAsync(1000)
  const run = sandbox.run(...NOTHING)
  await vi.advanceTimersByTimeAsync(0)
  sandbox.close()
  started.resolve()
  await expect(run).rejects.toThrow('closed')
  expect(opened.map(({ alive }) => alive)).toEqual([false, false])
  await expect(sandbox.run(...NOTHING)).rejects.toThrow('closed')
  expect(opened).toHaveLength(2)
})
