import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { openThread, type Thread } from './open-thread.ts'
import { openThreads } from './open-threads.ts'
import type { SampleCalls } from './testing/sample-thread.ts'

const started: Thread<SampleCalls>[] = []
const module = new URL('./testing/sample-thread.ts', import.meta.url)
const start = (): Thread<SampleCalls> => {
  const thread = openThread<SampleCalls>(module)
  started.push(thread)
  return thread
}
afterEach(() => Promise.all(started.splice(0).map((thread) => thread.close())))

describe('calls of a thread', () => {
  it('are answered each with its own, whichever is done first', async () => {
    const thread = start()
    const slow = thread.call('later', { ms: 1_000, word: 'slow' })
    const fast = thread.call('later', { ms: 1, word: 'fast' })
    expect(await Promise.race([slow, fast])).toBe('fast')
    expect(await slow).toBe('slow')
  })

  it('run beside this thread: it turns while the other computes', async () => {
    const thread = start()
    await thread.call('double', { columns: {} })
    const turns = new Int32Array(new SharedArrayBuffer(4))
    const turning = setInterval(() => Atomics.add(turns, 0, 1), 1)
    await thread.call('spin', { turns, until: 10 })
    clearInterval(turning)
    expect(turns[0]).toBeGreaterThanOrEqual(10)
  })

  it('hand columns over that fill their memory, and copy those that share it', async () => {
    const thread = start()
    const whole = Float64Array.of(1, 2, 3)
    const part = Float64Array.of(4, 5, 6).subarray(1)
    const { doubled } = await thread.call('double', { columns: { whole, part } })
    expect(doubled).toEqual({ whole: Float64Array.of(2, 4, 6), part: Float64Array.of(10, 12) })
    expect([whole.length, part.length]).toEqual([0, 2])
    // And there, of what came back.
    expect((await thread.call('make', 3)).made).toHaveLength(3)
    expect(await thread.call('left', undefined)).toBe(0)
  })

  it('hand over once what two columns share', async () => {
    const column = Float64Array.of(1, 2)
    const { doubled } = await start().call('double', { columns: { column, again: column } })
    expect(doubled).toEqual({ column: Float64Array.of(2, 4), again: Float64Array.of(2, 4) })
  })

  it('throw here what they throw there, an expected failure with its code', async () => {
    const thread = start()
    await expect(thread.call('refuse', 'symbol')).rejects.toMatchObject({
      name: 'AppError',
      code: 'bad_input',
      message: 'Name another symbol.',
      field: 'symbol',
      retryAfterS: 30,
    })
    await expect(thread.call('fail', undefined)).rejects.toMatchObject({ name: 'Error', message: 'a bug' })
    expect(await thread.call('later', { ms: 1, word: 'it goes on' })).toBe('it goes on')
  })

  it('fail alone where what they make, or the failure itself, cannot be sent', async () => {
    const thread = start()
    const beside = thread.call('later', { ms: 60, word: 'beside' })
    await expect(thread.call('unsendable', undefined)).rejects.toThrow('could not be cloned')
    await expect(thread.call('failWith', 'the symbol is gone')).rejects.toThrow('the symbol is gone')
    expect(await beside).toBe('beside')
  })

  it('keep the process running while they wait, and no longer', async () => {
    const script = fileURLToPath(new URL('./testing/unclosed.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 30_000 })
    expect(stdout).toBe('fast slow again')
  })

  it('fail where what they are given cannot be sent, and leave the thread as it was', async () => {
    const thread = start()
    // @ts-expect-error a function cannot be cloned
    await expect(thread.call('later', { ms: 1, word: () => 'no' })).rejects.toThrow('could not be cloned')
    expect(await thread.call('later', { ms: 1, word: 'well' })).toBe('well')
  })

  it('are rejected where the thread ends before it answers, and from then on', async () => {
    const thread = start()
    const waiting = thread.call('later', { ms: 60_000, word: 'never' })
    const dying = thread.call('die', 3)
    await expect(waiting).rejects.toThrow('ended with code 3')
    await expect(dying).rejects.toThrow('ended with code 3')
    expect(thread.alive).toBe(false)
    await expect(thread.call('later', { ms: 1, word: 'again' })).rejects.toThrow('has ended')
  })

  it('are answered before a closing thread ends', async () => {
    const thread = start()
    const waiting = thread.call('later', { ms: 30, word: 'in time' })
    await thread.close()
    expect(await waiting).toBe('in time')
    expect(thread.alive).toBe(false)
  })
})

describe('threads that are given back', () => {
  it('serve the next work without what they held, unless they have ended', async () => {
    const before = openThreads<SampleCalls>(module, 2)
    await Promise.all(before.all.map((thread) => thread.call('hold', 5)))
    await before.all[1]!.call('die', 0).catch(() => undefined)
    await before.close()
    const next = openThreads<SampleCalls>(module, 2)
    expect(next.first).toBe(before.first)
    expect(next.all[1]).not.toBe(before.all[1])
    expect(await Promise.all(next.all.map((thread) => thread.call('left', undefined)))).toEqual([0, 0])
    started.push(...next.all)
  })
})
