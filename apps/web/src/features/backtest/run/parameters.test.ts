import { expect, it } from 'vitest'
import { nextRun } from './parameters.ts'

const worth = (ratio: number) => ({ worth: 100 * ratio, ratio, limitMovePct: 5, onceSize: 0.0015 })
const run = (seenRatio: number, haltedAt: number | null = null) => ({ seenRatio, meta: { haltedAt } })

it('offers what no model has seen, with a size of the balance at most', () => {
  expect(nextRun(run(0.44), true, worth(9.7))).toEqual({
    words: 'Run on unseen candles at 1×',
    change: { unseenOnly: true, positionSize: 0.0015 },
  })
  expect(nextRun(run(0.44), true, worth(0.8))).toEqual({ words: 'Run on unseen candles', change: { unseenOnly: true } })
  expect(nextRun(run(0.44), true, null)?.words).toBe('Run on unseen candles')
  expect(nextRun(run(0, 5), true, worth(9.7))).toEqual({ words: 'Run again at 1×', change: { positionSize: 0.0015 } })
})

it('offers nothing where all was unseen and lasted, or where nothing is unseen', () => {
  expect(nextRun(run(0), true, worth(9.7))).toBeNull()
  expect(nextRun(run(1), false, worth(9.7))).toBeNull()
  expect(nextRun(run(0, 5), true, worth(0.9))).toBeNull()
})
