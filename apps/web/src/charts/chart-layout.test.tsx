import type { CandleRow } from '@shapecast/contracts/market'
import { render } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { prepareBacktestChart } from './backtest-chart/backtest-chart-data.ts'
import { createBacktestChart } from './backtest-chart/create-backtest-chart.ts'
import { EquityOverlay } from './equity-overlay.tsx'
import { createPriceChart } from './price-chart/create-price-chart.ts'
import { priceModel } from './price-chart/price-model.ts'
import type { AxisTag } from './primitives/axis-tag-primitive.ts'
import type { levelLine } from './primitives/level-line-primitive.ts'

const HOUR_MS = 3_600_000

/** What the library was told: the way to the call, and with what. */
const told = vi.hoisted((): [string, unknown[]][] => [])
vi.mock('lightweight-charts', async (load) => {
  const spoken = (way: string): unknown =>
    new Proxy(() => undefined, {
      get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : spoken(`${way}.${String(key)}`)),
      apply: (_, __, args) => {
        told.push([way, args])
        return spoken(`${way}()`)
      },
    })
  return { ...(await load<object>()), createChart: spoken('createChart') }
})
beforeEach(() => void told.splice(0))

const argsOf = (way: string) => told.filter(([one]) => one === way).map(([, args]) => args)
const rows = Array.from({ length: 3 }, (_, i): CandleRow => [i * HOUR_MS, 100, 101, 99, 100 + i, 5])

it('the chart that compares runs keeps its first and last time label in sight', () => {
  const line = { name: 'a', color: '#fff', isDashed: false, points: [{ t: 0, pct: 0 }] }
  render(<EquityOverlay lines={[line]} startMs={0} summary="" />)
  const [[, options]] = argsOf('createChart') as [[unknown, { timeScale: object }]]
  expect(options.timeScale).toMatchObject({ fixLeftEdge: true, fixRightEdge: true, timeVisible: true })
})

it('the price chart leaves 22 % to the volume, 5 % above and below the prices, and room for 6 candles to come', () => {
  const model = priceModel(rows, HOUR_MS)
  const scene = { model, lines: [], predictions: null, fan: null, type: 'candles', futureLabel: 'Next 6 h' } as const
  createPriceChart(document.createElement('div'), scene, 100, String, { onHover() {}, onView() {} })
  const [[, options]] = argsOf('createChart') as [[unknown, { rightPriceScale: object }]]
  expect(options.rightPriceScale).toMatchObject({
    scaleMargins: { top: 0.05, bottom: 0.22 + 0.05 },
    tickMarkDensity: 4,
  })
  expect(argsOf('createChart().addSeries().priceScale().applyOptions')).toEqual([
    [{ scaleMargins: { top: 1 - 0.22, bottom: 0 } }],
  ])
  const future = argsOf('createChart().addSeries().setData').map(([points]) => (points as { time: number }[])[0]?.time)
  expect(future).toContain(3 * 3600)
  expect(argsOf('createChart().addSeries().setData').map(([points]) => (points as object[]).length)).toEqual([
    3, 3, 3, 6,
  ])
})

it('the backtest chart gives 60 % to the candles, the rest to equity and drawdown, with a line at the initial balance and labels at the last close, forecast and equity', () => {
  const equity = rows.map(([t]) => ({ t, equity: 100 }))
  const predictions = [{ t: 2 * HOUR_MS, price: 103 }]
  const parts = { trades: [], openPosition: null, predictions, initialBalance: 100, seen: [] }
  const data = prepareBacktestChart({ candles: rows, equity, ...parts })
  const formats = { price: String, money: String }
  createBacktestChart(document.createElement('div'), data, formats, () => undefined)
  expect([0, 1, 2].map((pane) => argsOf(`createChart().panes().${pane}.setStretchFactor`)[0]?.[0])).toEqual([
    60, 27, 13,
  ])
  const drawn = argsOf('createChart().addSeries().attachPrimitive').map(
    ([primitive]) => primitive as AxisTag | ReturnType<typeof levelLine>,
  )
  // A line alone lies between the series and what is over them.
  const layers = drawn.flatMap((one) => ('paneViews' in one ? one.paneViews().map((view) => view.zOrder()) : []))
  expect(layers.filter((layer) => layer === 'normal')).toHaveLength(1)
  expect(drawn.flatMap((one) => ('value' in one ? [one.value()] : []))).toEqual([102, 103, 100])
  const [[, options]] = argsOf('createChart') as [[unknown, { localization: { timeFormatter: (s: number) => string } }]]
  expect(options.localization.timeFormatter(0)).toBe('1 Jan 1970, 00:00 UTC')
})
