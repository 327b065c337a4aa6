import type { DirectionVerdict } from '@shapecast/contracts/evaluation'
import { expect, it } from 'vitest'
import { directionWords } from './direction-verdict.ts'

const verdict = (code: DirectionVerdict['code'], rule: DirectionVerdict['rule']) => ({
  code,
  rule,
  holdsUp: code === 'better',
  ruleRatio: 0.5,
})

it('says in a trader’s words how a direction did against the better naive rule', () => {
  const better = { words: 'better than betting on a reversal', chip: 'better than its baseline' }
  expect(directionWords(verdict('better', 'reversal'))).toEqual(better)
  expect(directionWords(verdict('worse', 'majority')).words).toBe('worse than always betting one way')
  const none = { words: 'no better than betting on a reversal', chip: 'not better than its baseline' }
  for (const code of ['no_better', 'not_credible', 'not_judged'] as const)
    expect(directionWords(verdict(code, 'reversal'))).toEqual(none)
})
