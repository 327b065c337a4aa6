import type { BacktestRun } from '@shapecast/contracts/backtest'
import type { CandleRow } from '@shapecast/contracts/market'
import { expect, it } from 'vitest'
import { sampleRun } from '../../../testing/sample-run.ts'
import { comparedNames, compareRuns, hasWinner, settingRows } from './compared-runs.ts'

const HOUR = 3_600_000
const curve = (...equity: number[]) => equity.map((value, i) => ({ t: i * HOUR, equity: value }))
const run = (over: Partial<BacktestRun>): BacktestRun =>
  sampleRun({ initialBalance: 100, endTime: 3 * HOUR, trades: [], ...over })
const plain = run({ _id: 'a', equityCurve: curve(100, 200, 210, 220) })
const learnt = run({
  _id: 'b',
  equityCurve: curve(100, 150, 120, 165),
  seen: { ranges: [], seen: { from: 0, to: HOUR } as never, unseen: { from: 2 * HOUR, to: 3 * HOUR } as never },
})

const candles: CandleRow[] = [10, 12, 6, 9].map((close, i) => [i * HOUR, close, close, close, close, 1])

it('judges all runs from where the latest model has seen nothing: 200 to 220 and 150 to 165, by way of 120', () => {
  const found = compareRuns([learnt, plain], candles)
  expect([found?.from, found?.to]).toEqual([2 * HOUR, 3 * HOUR])
  expect(found?.ranked.map(({ returnPct }) => Math.round(returnPct * 100) / 100)).toEqual([10, 10])
  expect(found?.ranked.map(({ drawdownPct }) => Math.round(drawdownPct)).sort()).toEqual([0, 20])
  // Held from the close of 12 to that of 9.
  expect(found?.hold).toMatchObject({ name: 'Buy and hold', run: null, returnPct: -25 })
})

it('ranks a run that had ended before the stretch below one that lost in it', () => {
  const ended = run({ _id: 'c', equityCurve: curve(100, 57, 57, 57) })
  const losing = run({ ...learnt, _id: 'd', equityCurve: curve(100, 150, 120, 90) })
  expect(compareRuns([ended, losing], candles)?.ranked.map(({ run: ranked }) => ranked?._id)).toEqual(['d', 'c'])
})

it('has a winner only where its interval lies above 0 and above all others', () => {
  const one = (interval: [number, number] | null) => ({
    run: plain,
    name: 'plain',
    returnPct: 1,
    drawdownPct: 0,
    trades: 40,
    profitFactor: 2,
    interval,
  })
  expect(hasWinner([one([5, 9]), one([-3, 4])])).toBe(true)
  expect(hasWinner([one([5, 9]), one([-3, 6])])).toBe(false)
  expect(hasWinner([one([5, 9]), one(null)])).toBe(false)
})

it('knows the interval of a policy that traded nothing, by its days, and none where there is none', () => {
  const judged = (totalReturnPct: [number, number] | null) => {
    const unseen = { ...learnt.seen.unseen!, intervals: { totalReturnPct } as never }
    return compareRuns([{ ...learnt, trades: [], seen: { ...learnt.seen, unseen } }], [])?.ranked[0]?.interval
  }
  expect(judged([-2, 3])).toEqual([-2, 3])
  expect(judged(null)).toBeNull()
})

it('says which settings differ', () => {
  const rows = settingRows([plain, { ...plain, params: { ...plain.params, leverage: 3, marketType: 'futures' } }])
  expect(rows.filter(({ differs }) => differs).map(({ label }) => label)).toEqual(['Market'])
})

it('tells runs of one name apart by a setting, or by their place', () => {
  const deep = { ...plain, params: { ...plain.params, positionSize: 0.1 } }
  expect(comparedNames([plain, deep, { ...plain, name: 'Own' }])).toEqual([
    'Northwind BTC, position size 0.015',
    'Northwind BTC, position size 0.1',
    'Own',
  ])
  expect(comparedNames([plain, plain])).toEqual(['Northwind BTC (1)', 'Northwind BTC (2)'])
})
