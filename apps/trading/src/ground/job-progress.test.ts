import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { reportProgress } from './job-progress.ts'

describe('the progress of a running job', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is written every 100 ms until it is stopped, and waits for a write that is under way', async () => {
    const written: (() => void)[] = []
    const progress = reportProgress(
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
    const stopping = progress.stop().then(() => {
      stopped = true
    })
    await vi.advanceTimersByTimeAsync(500)
    expect([written.length, stopped]).toEqual([2, false])
    written[1]?.()
    await stopping
    expect(progress.cancelled.aborted).toBe(false)
  })

  it('tells that the job was cancelled where a report finds it over', async () => {
    let runs = true
    const progress = reportProgress(
      async () => runs,
      100,
      () => undefined,
    )
    await vi.advanceTimersByTimeAsync(250)
    expect(progress.cancelled.aborted).toBe(false)
    runs = false
    await vi.advanceTimersByTimeAsync(100)
    expect(progress.cancelled.aborted).toBe(true)
    await progress.stop()
  })

  it('goes on after a report that failed, and says so', async () => {
    const errors: unknown[] = []
    let calls = 0
    const report = async () => {
      calls++
      if (calls === 1) throw new Error('the database is away')
      return true
    }
    const progress = reportProgress(report, 100, (error) => errors.push(error))
    await vi.advanceTimersByTimeAsync(250)
    expect([calls, errors.length, progress.cancelled.aborted]).toEqual([2, 1, false])
    await progress.stop()
  })
})
