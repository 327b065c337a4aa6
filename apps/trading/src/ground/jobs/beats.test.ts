import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBeats } from './beats.ts'

describe('the progress of a running job', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is written every 100 ms until it is stopped, and waits for a write that is under way', async () => {
    const written: (() => void)[] = []
    const beats = startBeats(
      () => new Promise<boolean>((resolve) => written.push(() => resolve(true))),
      100,
      () => undefined,
    )
    await vi.advanceTimersByTimeAsync(350)
    expect(written).toHaveLength(1)
    written[0]?.()
    await vi.advanceTimersByTimeAsync(100)
    expect(written).toHaveLength(2)

    let stopped = false
    const stopping = beats.stop().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(500)
    expect([written.length, stopped]).toEqual([2, false])
    written[1]?.()
    await stopping
    expect(beats.lost.aborted).toBe(false)
  })

  it('tells that the job was cancelled where a report finds it over', async () => {
    let runs = true
    const beats = startBeats(
      async () => runs,
      100,
      () => undefined,
    )
    await vi.advanceTimersByTimeAsync(250)
    expect(beats.lost.aborted).toBe(false)
    runs = false
    await vi.advanceTimersByTimeAsync(100)
    expect(beats.lost.aborted).toBe(true)
    await beats.stop()
  })

  it('goes on after a report that failed, and says so', async () => {
    const errors: unknown[] = []
    let calls = 0
    const report = async () => {
      calls++
      if (calls === 1) throw new Error('the database is away')
      return true
    }
    const beats = startBeats(report, 100, (error) => errors.push(error))
    await vi.advanceTimersByTimeAsync(250)
    expect([calls, errors.length, beats.lost.aborted]).toEqual([2, 1, false])
    await beats.stop()
  })
})
