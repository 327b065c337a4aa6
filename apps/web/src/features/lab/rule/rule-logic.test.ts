import { parseRule } from '@shapecast/engine/rules/parse'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ruleLines } from './rule-lines.ts'
import { readRuleFile } from './rule-text.tsx'
import { diffText } from './rule-versions.tsx'

const RULE = 'enter: close > sma(20)\nstop: 3%'

it('reads a rule as text and as blocks', () => {
  expect(readRuleFile(`${RULE}\n`)).toEqual({ text: RULE })
  expect(readRuleFile(JSON.stringify(parseRule(RULE)))).toEqual({ text: RULE })
})
it.each([
  [
    'a text that cannot be read',
    'enter: close >',
    'Line 1, column 15: expected a value, as close or ema(20), found the end.',
  ],
  ['a rule that never leaves', 'enter: close > 1', expect.stringContaining('a rule must say when it leaves')],
  ['broken JSON', '{"enter": ', 'It begins like JSON and is none.'],
  ['other JSON', '{"name": "Trend"}', 'the rule has ‘name’, which means nothing there.'],
])('says why %s is none', (_, content, refusal) => expect(readRuleFile(content)).toEqual({ refusal }))

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

const without = (kind: string, pieces: ReturnType<typeof diffText>) =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map(({ text }) => text)
    .join('')

it('tells a changed number and an added part', () => {
  expect(diffText('enter: ema(20) > 5 time: 9', 'enter: ema(50) > 5 stop: 3% time: 9')).toEqual([
    { kind: 'same', text: 'enter: ema(' },
    { kind: 'removed', text: '20' },
    { kind: 'added', text: '50' },
    { kind: 'same', text: ') > 5 ' },
    { kind: 'added', text: 'stop: 3% ' },
    { kind: 'same', text: 'time: 9' },
  ])
})

it('has both texts whole in it, and nothing but what is the same of one text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '(', '\n', '1.5'), maxLength: 40 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffText(before, after)
      expect([without('added', pieces), without('removed', pieces)]).toEqual([before, after])
      expect(diffText(before, before).every(({ kind }) => kind === 'same')).toBe(true)
    }),
  )
})
