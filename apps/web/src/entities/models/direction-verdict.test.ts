import { expect, it } from 'vitest'
import { directionVerdict } from './direction-verdict.ts'

it('says in a trader’s words how a direction did against the better naive rule', () => {
  expect(directionVerdict({ verdict: 'indistinguishable from the reversal baseline' })).toEqual({
    isBetter: false,
    words: 'no better than betting on a reversal',
    chip: 'not better than its baseline',
  })
  expect(directionVerdict({ verdict: 'worse than the majority baseline' }).words).toBe(
    'worse than always betting one way',
  )
  expect(directionVerdict({ verdict: 'better than the reversal baseline' }).isBetter).toBe(true)
})
