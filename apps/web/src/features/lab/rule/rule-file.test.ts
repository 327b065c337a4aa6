import { parseRule } from '@shapecast/engine/rules/parse'
import { expect, it } from 'vitest'
import { readRuleFile } from './rule-file.ts'

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
