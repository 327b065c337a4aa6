import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { restingSandbox } from './resting-sandbox.ts'
import type { Sandbox } from './sandbox.ts'

/** Sandboxes that count themselves; a run ends when told to. */
function processes() {
  const opened: { alive: boolean; end(): void }[] = []
  const open = async (): Promise<Sandbox> => {
    const ends: (() => void)[] = []
    const own = { alive: true, end: () => ends.shift()?.() }
    opened.push(own)
    return {
      get alive() {
        return own.alive
      },
      run: async () => {
        await new Promise<void>((resolve) => ends.push(resolve))
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

it('gives its process up after a while without a run, and starts another when one is wanted', async () => {
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
  // Two at once share the new one.
  const both = [sandbox.run(...NOTHING), sandbox.run(...NOTHING)]
  await vi.advanceTimersByTimeAsync(0)
  expect(opened.map(({ alive }) => alive)).toEqual([false, true])
  opened[1]!.end()
  opened[1]!.end()
  await Promise.all(both)
  expect(sandbox.alive).toBe(true)
})

it('leaves no process behind where it is closed while one starts', async () => {
  const { opened, open } = processes()
  const sandbox = restingSandbox(await open(), open, 1000)
  await vi.advanceTimersByTimeAsync(1000)
  const run = sandbox.run(...NOTHING)
  sandbox.close()
  await expect(run).rejects.toThrow('closed')
  expect(opened.map(({ alive }) => alive)).toEqual([false, false])
  await expect(sandbox.run(...NOTHING)).rejects.toThrow('closed')
  expect(opened).toHaveLength(2)
})
