import { parseRule } from '@shapecast/engine/rules/parse'
import { expect, it } from 'vitest'
import { ruleLines } from './rule-lines.ts'

const rows = [10, 11, 12, 13].map((close, i) => [i * 3_600_000, close, close + 1, close - 1, close, 1]) as [
  number,
  number,
  number,
  number,
  number,
  number,
][]
const linesOf = (text: string) => ruleLines(parseRule(text), rows, '1h').map(({ name, values }) => [name, [...values]])

it('draws each indicator that is a price once, and no other', () => {
  expect(
    linesOf('enter: sma(2) > close and rsi(14) < 70 and sma(volume, 2) > 0 exit: sma(2) < highest(high, 2)'),
  ).toEqual([
    ['sma(2)', [Number.NaN, 10.5, 11.5, 12.5]],
    ['highest(high, 2)', [Number.NaN, 12, 13, 14]],
  ])
})

it('draws four at most', () =>
  expect(linesOf('enter: sma(1) > sma(2) and sma(3) > sma(4) and sma(5) > 0 time: 2')).toHaveLength(4))
