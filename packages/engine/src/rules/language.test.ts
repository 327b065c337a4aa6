import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryRules } from '../testing/arbitrary-rules.ts'
import { parseDraft, parsePart, parseRule } from './parse.ts'
import { ruleText } from './print.ts'
import { RuleProblem } from './problem.ts'
import { readRule } from './read-tree.ts'
import type { Rule } from './tree.ts'

const TEXT = `enter: ema(20) > ema(50) and p_up > 0.56 and vol(60) < 60%
exit: ema(20) < ema(50) or rsi(14) > 75
stop: 3% trail: 4% time: 48`

const problemOf = (read: () => unknown): RuleProblem => {
  try {
    read()
  } catch (error) {
    if (error instanceof RuleProblem) return error
    throw error
  }
  throw new Error('It was read.')
}
const wrong = (text: string) => problemOf(() => parseRule(text)).message

const ema = (candles: number) => ({ kind: 'indicator', name: 'ema', input: null, parameters: [candles] }) as const
const CROSS: Rule = {
  enter: { kind: 'crosses', direction: 'above', left: ema(20), right: ema(50) },
  exit: { kind: 'crosses', direction: 'below', left: ema(20), right: ema(50) },
  short: null,
  cover: null,
  stopPct: 3,
  targetPct: null,
  trailPct: null,
  timeCandles: null,
}

describe('a rule that is being written', () => {
  it('is read before it is complete', () => {
    expect(parseDraft('')).toMatchObject({ enter: null, exit: null, stopPct: null })
    expect(parseDraft('exit: close < 1 stop: 3%')).toMatchObject({ exit: { kind: 'compare' }, stopPct: 3 })
    expect(problemOf(() => parseDraft('enter: close >')).message).toContain('Line 1, column 15: expected a value')
  })
  it('has parts that are read alone', () => {
    expect(parsePart('ema(20)')).toEqual(ema(20))
    expect(parsePart('not close > open')).toMatchObject({ kind: 'not', of: { kind: 'compare' } })
    expect(problemOf(() => parsePart('close close')).message).toBe('Line 1, column 7: expected the end, found ‘close’.')
  })
})

describe('text and blocks', () => {
  it('the text of a rule gives its blocks', () => {
    expect(parseRule('enter: ema crosses above ema(50) exit: ema(20) crosses below ema(50) stop: 3%')).toEqual(CROSS)
    expect(ruleText(CROSS)).toBe('enter: ema(20) crosses above ema(50)\nexit: ema(20) crosses below ema(50)\nstop: 3%')
  })

  it('a written rule is printed as it was written, or in one line the same', () => {
    expect(ruleText(parseRule(TEXT))).toBe(TEXT)
    expect(parseRule(TEXT.replaceAll('\n', ' '))).toEqual(parseRule(TEXT))
  })

  it.each([
    ['close - open - 1 > 0', 'close - open - 1 > 0'],
    ['close - (open - 1) > 0', 'close - (open - 1) > 0'],
    ['(close * 2) + 1 > 0', 'close * 2 + 1 > 0'],
    ['close * (2 + 1) > -close', 'close * (2 + 1) > -close'],
    ['not close > 1 and open > 1', 'not close > 1 and open > 1'],
    ['not (close > 1 and open > 1)', 'not (close > 1 and open > 1)'],
    ['close > 1 or open > 1 and low > 1', 'close > 1 or open > 1 and low > 1'],
    ['(close > 1 or open > 1) and low > 1', '(close > 1 or open > 1) and low > 1'],
    ['(close > 1 and open > 1) and low > 1', '(close > 1 and open > 1) and low > 1'],
    ['(close > highest(high, 20)[1])[2]', '(close > highest(high, 20)[1])[2]'],
    ['sma(volume / 2, 5) > max(open, 3e2)', 'sma(volume / 2, 5) > max(open, 300)'],
    ['macd > macd_signal', 'macd(12, 26) > macd_signal(12, 26, 9)'],
    ['bollinger_upper(20) < ultimate', 'bollinger_upper(20, 2) < ultimate'],
  ])('%s holds together as in arithmetic and logic', (text, printed) => {
    const rule = parseRule(`enter: ${text} time: 1`)
    expect(ruleText(rule)).toBe(`enter: ${printed}\ntime: 1`)
    expect(parseRule(ruleText(rule))).toEqual(rule)
  })

  it('blocks become text, JSON and blocks again without loss', () =>
    fc.assert(
      fc.property(arbitraryRules, (rule) => {
        expect(parseRule(ruleText(rule))).toEqual(rule)
        expect(readRule(JSON.parse(JSON.stringify(rule)))).toEqual(rule)
      }),
      { numRuns: 500 },
    ))
})

describe('what is wrong with a text', () => {
  it.each([
    [
      'enter: ema(20) > ema(50) and p_upp > 0.56 time: 1',
      'Line 1, column 30: ‘p_upp’ is not known. Did you mean p_up?',
    ],
    [
      'enter: close > 1\nexti: close < 1',
      'expected enter: exit: short: cover: stop: target: trail: time:, found ‘exti’. Did you mean exit?',
    ],
    ['enter: close', 'Line 1, column 8: expected a condition, as close > 100, found the value ‘close’.'],
    [
      'enter: close + (open > 1) > 2',
      'Line 1, column 16: expected a value, as close, found the condition ‘(open > 1)’.',
    ],
    ['enter: 1 < close < 2', 'Line 1, column 18: expected and, or, or the end of the condition, found ‘<’.'],
    ['enter: close > ema(0)', 'Line 1, column 20: candles must be a whole number from 1 to 10000.'],
    ['enter: close > ema(20, 3)', 'Line 1, column 24: expected ‘)’, found ‘3’.'],
    ['enter: close > ema(20', 'Line 1, column 22: expected ‘,’, found the end.'],
    ['enter: close crosses ema(20)', 'Line 1, column 22: expected above or below, found ‘ema’.'],
    ['enter: close = 3', 'Line 1, column 14: ‘=’ means nothing in a rule. Did you mean ==?'],
    ['enter: close > 3 stop: 3', 'Line 1, column 25: expected ‘%’, found the end.'],
    ['enter: close > 3 stop: 300%', 'Line 1, column 24: must be above 0% and below 100%.'],
    ['enter: close > 3 time: 1.5', 'Line 1, column 24: must be a whole number of candles from 1 to 100000.'],
    ['enter: close > 3 enter: close > 4', 'Line 1, column 18: ‘enter:’ must be given once.'],
    [
      'enter: close > 3',
      'Line 1, column 17: expected ‘exit:’, ‘stop:’, ‘target:’, ‘trail:’ or ‘time:’: a rule must say when it leaves.',
    ],
    ['exit: close > 3 time: 5', 'a rule must say when it enters.'],
    ['enter: close > median(9) time: 5', 'Line 1, column 23: must be a whole number of candles from 1 to 8.'],
    ['', 'Line 1, column 1: expected ‘enter:’ or ‘short:’: a rule must say when it enters.'],
    ['close > 3', 'Line 1, column 1: expected enter: exit: short: cover: stop: target: trail: time:, found ‘close’.'],
    [
      'enter: close > 3 close',
      'Line 1, column 18: expected and, or, a comparison, the next part of the rule (as exit:) or the end, found ‘close’.',
    ],
    [
      'enter: close > sma(1500) and close > ema(ema(600), 600) time: 5',
      'this rule looks back over 12000 candles; it must be at most 10000',
    ],
  ])('%s: it names the place and what was expected', (text, message) => {
    expect(wrong(text)).toContain(message)
  })

  it('counts lines and columns, and marks the word', () => {
    const text = 'enter: close > 1\nexit: clsoe < 1'
    const { place, message, suggestion } = problemOf(() => parseRule(text))
    expect(message).toBe('Line 2, column 7: ‘clsoe’ is not known. Did you mean close?')
    expect([place, suggestion]).toEqual([{ offset: 23, length: 5 }, 'close'])
  })
})

/** Nested so many times in a block of its own. */
const nested = (times: number): unknown =>
  JSON.parse(`${'{"kind":"not","of":'.repeat(times)}{"kind":"series","name":"close"}${'}'.repeat(times)}`)

describe('hostile rules', () => {
  it.each([
    ['of 10,000 terms', `enter: ${'close + '.repeat(10_000)}1 > 2 time: 1`, 'at most 4000 characters'],
    ['of 400 terms', `enter: ${'day+'.repeat(400)}1>2 time: 1`, 'nested at most 30 deep'],
    ['of 400 conditions', `enter: ${'1>2or '.repeat(400)}1>2 time: 1`, 'at most 300 parts'],
    ['in 1,000 brackets', `enter: ${'('.repeat(1000)}1 > 2`, 'nested at most 30 deep'],
    ['with 1,000 signs', `enter: ${'-'.repeat(1000)}1 > 2`, 'nested at most 30 deep'],
    ['with 900 nots', `enter: ${'not '.repeat(900)}1 > 2`, 'nested at most 30 deep'],
    ['of names that every object has', 'enter: constructor > __proto__ time: 1', '‘constructor’ is not known'],
    ['that calls what every object has', 'enter: toString(1) > 2 time: 1', '‘toString’ is not known'],
    ['of one word of 3,000 letters', `enter: ${'x'.repeat(3000)} > 1 time: 1`, `‘${'x'.repeat(30)}…’ is not known.`],
    ['that looks back for ever', 'enter: close > close[1e300] time: 1', 'from 1 to 10000'],
    ['with a number beyond all numbers', 'enter: close > 1e999 time: 1', 'too large'],
    ['that adds up a long look back', `enter: ${'close['.repeat(1)}9000][9000] > 1 time: 1`, 'looks back over 18000'],
  ])('a text %s is refused in words', (_what, text, message) => {
    expect(wrong(text)).toContain(message)
  })

  it.each([
    ['nested 5,000 deep', { enter: nested(5000), timeCandles: 1 }, 'nested at most 30 deep'],
    [
      'of 10,000 conditions',
      { enter: { kind: 'and', of: Array(10_000).fill(nested(0)) }, timeCandles: 1 },
      'list of 2 to 300',
    ],
    ['of a kind that every object has', { enter: { kind: 'constructor' } }, 'enter.kind must be one of'],
    [
      'with an indicator that every object has',
      { enter: { kind: 'compare', op: '<', left: { kind: 'indicator', name: 'toString', parameters: [] } } },
      'enter.left.name is no indicator: ‘toString’',
    ],
    ['with a prototype', JSON.parse('{"enter": {"kind": "not", "__proto__": {}}}'), 'enter has ‘__proto__’'],
    ['that is a list', [], 'the rule must be a block'],
    [
      'without a number',
      { enter: { kind: 'not', of: { kind: 'number', value: Number.NaN } } },
      'enter.of.value must be a number',
    ],
    [
      'with a value for a condition',
      { enter: { kind: 'series', name: 'close' }, timeCandles: 1 },
      'enter must be a condition; series is a value',
    ],
    ['with a stop that is text', { enter: null, stopPct: '3' }, 'stopPct must be above 0 and below 100'],
  ])('blocks %s are refused in words that name the block', (_what, json, message) => {
    expect(problemOf(() => readRule(json)).message).toContain(message)
  })
})
