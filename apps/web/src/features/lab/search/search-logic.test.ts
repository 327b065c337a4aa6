import { readSearchedValues } from '@shapecast/contracts/search'
import { markedText, ruleNumbers, valuesAround } from '@shapecast/engine/rules/rule-numbers'
import { describe, expect, it } from 'vitest'
import { heatCells, rankedPoints } from './heat-map.tsx'
import { NEW_SEARCH, readForm } from './search-form.ts'
import { spreadOf } from './search-words.ts'

describe('the numbers of a rule', () => {
  const text =
    'enter: ema(20) crosses above ema(50) and rsi(14) < 30\nexit: ema(20) < macd(12, 26) or rsi(14) > 70\nstop: 2.5% time: 48'
  const numbers = ruleNumbers(text)

  it('are named by where they stand; the same in two places is one', () => {
    expect(numbers.map(({ label, value }) => [label, value])).toEqual([
      ['ema(20)', 20],
      ['ema(50)', 50],
      ['rsi(14)', 14],
      ['rsi(14) < …', 30],
      ['macd(12, 26)', 12],
      ['macd(12, 26), value 2', 26],
      ['rsi(14) > …', 70],
      ['stop', 2.5],
      ['time', 48],
    ])
    expect(numbers[0]!.parts).toEqual(['enter', 'exit'])
    expect(new Set(numbers.map(({ name }) => name)).size).toBe(9)
  })

  it('are marked in the text by their names', () => {
    const marked = markedText(
      text,
      numbers.filter(({ value }) => value === 20 || value === 2.5),
    )
    expect(marked).toBe(
      'enter: ema({ema_20}) crosses above ema(50) and rsi(14) < 30\nexit: ema({ema_20}) < macd(12, 26) or rsi(14) > 70\nstop: {stop_2_5}% time: 48',
    )
    expect(markedText(text, [])).toBe(text)
  })
})

describe('values', () => {
  it.each([
    ['4 to 16 by 4', [4, 8, 12, 16]],
    ['0.5 to 0.7 by 0.1', [0.5, 0.6, 0.7]],
    ['3 to 5', [3, 4, 5]],
    ['0, 2.5, -5', [0, 2.5, -5]],
    ['7', [7]],
  ])('%s are %j', (text, values) => expect(readSearchedValues(text)).toEqual(values))

  it.each(['', '4 to', 'a, b', '5 to 3', '1 to 9 by 0', '2, 2', '1 to 1000'])('%j are refused in words', (text) =>
    expect(readSearchedValues(text)).toEqual(expect.any(String)),
  )

  it('around a number begin at half of it', () => {
    expect(valuesAround(20)).toBe('10 to 30 by 5')
    expect(valuesAround(2.5)).toBe('1.3 to 3.7 by 0.6')
    expect(valuesAround(1)).toBe('1 to 3 by 1')
  })
})

describe('a form', () => {
  it('is a request for the numbers that are ticked', () => {
    const { request, combinations, wrong } = readForm(NEW_SEARCH)
    expect([combinations, wrong]).toEqual([35, {}])
    expect(request).toMatchObject({
      rule: 'enter: ema({ema_20}) crosses above ema({ema_100})\nexit: ema({ema_20}) crosses below ema({ema_100})\nstop: 4%',
      parameters: [
        { name: 'ema_20', label: 'ema(20)', values: [10, 15, 20, 25, 30, 35, 40] },
        { name: 'ema_100', label: 'ema(100)', values: [60, 80, 100, 120, 140] },
      ],
    })
  })

  it('with nothing ticked, or too much, is none', () => {
    expect(readForm({ ...NEW_SEARCH, values: {} })).toMatchObject({ request: null, combinations: 0 })
    const values = { ema_20: '1 to 200', ema_100: '1 to 200' }
    expect(readForm({ ...NEW_SEARCH, values }).wrong.parameters).toBe('They must be at most 10,000: give fewer values')
  })
})

it('a cell is the median of its combinations, or the best of them', () => {
  const result = {
    parameters: ['a', 'b', 'c'].map((name) => ({ name, label: name, values: [1, 2] })),
    points: {
      choices: [
        [0, 0, 0],
        [0, 0, 1],
        [0, 1, 0],
        [1, 0, 0],
        [1, 1, 1],
      ],
      sharpe: [1, 3, null, -1, 2],
      netReturnPct: [],
      maxDrawdownPct: [],
      trades: [],
    },
  }
  const figures = (by: 'median' | 'best') => heatCells(result, 0, 1, by)
  expect(figures('median')).toEqual([
    [2, null],
    [-1, 2],
  ])
  expect(figures('best')).toEqual([
    [3, null],
    [-1, 2],
  ])
  expect(rankedPoints(result)).toEqual([1, 4, 0, 3])
})

it('spreads the known ratios over 24 stretches from the lowest to the highest', () => {
  const bins = spreadOf([0, null, 0.5, 1, 12, 24])
  expect(bins).toHaveLength(24)
  expect([bins[0]!.from, bins[23]!.to]).toEqual([0, 24])
  expect(bins.flatMap(({ count }, k) => (count === 0 ? [] : [[k, count]]))).toEqual([
    [0, 2],
    [1, 1],
    [12, 1],
    [23, 1],
  ])
  expect(spreadOf([1, 1]).reduce((sum, { count }) => sum + count, 0)).toBe(2)
})
