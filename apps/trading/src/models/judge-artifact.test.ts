import type { Candles } from '@shapecast/engine/candles'
import { createRandom } from '@shapecast/engine/random'
import type { SharedOutcomes } from '@shapecast/ml/evaluate/judge-together'
import { expect, it } from 'vitest'
import { comparisonOf } from './judge-artifact.ts'

const ROWS = 400
const OLD = '01890000-0000-7000-8000-000000000001'

/** Two models whose losses of the same outcomes differ by `gain` on average, and by chance besides. */
function compared(gain: number) {
  const random = createRandom(3)
  const active = Float64Array.from({ length: ROWS }, () => 0.69 + 0.05 * random.normal())
  const noise = Float64Array.from({ length: ROWS }, () => 0.02 * random.normal())
  const mean = noise.reduce((sum, value) => sum + value, 0) / ROWS
  const candidate = active.map((loss, i) => loss - gain + noise[i]! - mean)
  const model = (logLoss: Float64Array) => ({ logLoss, brier: logLoss, pUp: new Float64Array(ROWS).fill(0.6) })
  const rows = Array.from({ length: ROWS }, (_, i) => i)
  const outcomes = { rows, returns: new Float64Array(ROWS).fill(0.01), models: [model(candidate), model(active)] }
  const candles = { ts: Float64Array.from(rows) } as unknown as Candles
  return comparisonOf(OLD, candles, outcomes as unknown as SharedOutcomes, null)
}

it('leaves a tie to the old one, however the figures lie, and does not call it better', () => {
  const tie = compared(0.0008)
  expect(tie.logLoss!.candidate).toBeLessThan(tie.logLoss!.active)
  expect(tie.test!.pValue).toBeGreaterThan(0.05)
  expect(tie.takesOver).toBe(false)
  expect(tie.verdict).toMatch(
    /^The two are equally good\. The active artifact stays until a manager promotes this one: .+ no difference beyond chance/,
  )
})

it('lets the new one take over where it is better beyond chance, and says of a worse one that it is', () => {
  expect(compared(0.02)).toMatchObject({
    takesOver: true,
    verdict: expect.stringMatching(/^Better than the one before it, so it predicts now: .+ the new one is better/),
  })
  expect(compared(-0.02)).toMatchObject({ takesOver: false, verdict: expect.stringMatching(/^It is worse\./) })
})
