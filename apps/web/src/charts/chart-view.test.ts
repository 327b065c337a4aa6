import type { IChartApi, ISeriesApi } from 'lightweight-charts'
import { expect, it, vi } from 'vitest'
import { createChartView, type ViewState } from './chart-view.ts'
import { type ChartFrame, WHOLE_FRAME } from './visible-range.ts'

const prices = { getVisibleRange: () => ({ from: 90, to: 110 }), setVisibleRange: vi.fn(), setAutoScale: vi.fn() }
const series = { priceScale: () => prices, coordinateToPrice: (px: number) => 110 - px / 10 }
/** The newest 100 candles, and room for 6 more. */
const frame: ChartFrame = {
  limits: (count) => ({ whole: { from: -0.5, to: count + 6.5 }, minSpan: 16 }),
  home: (count) => ({ from: count - 100.5, to: count + 6.5 }),
}
const scale = { width: () => 1000, setVisibleLogicalRange: vi.fn() }

it('moving the prices turns their fitting off until a reset; moving in time asks for older candles in time', () => {
  const states: ViewState[] = []
  const chart = { timeScale: () => scale } as unknown as IChartApi
  const view = createChartView(chart, frame, {
    prices: series as unknown as ISeriesApi<'Line'>,
    onChange: (state) => states.push(state),
  })
  // Its size is known before there are candles.
  view.apply()
  expect(states.at(-1)).toEqual({ isHome: true, isNearOldest: false })
  view.candlesChanged({ kind: 'other' }, 300)
  expect(states.at(-1)).toEqual({ isHome: true, isNearOldest: false })
  expect(scale.setVisibleLogicalRange).toHaveBeenLastCalledWith({ from: 200, to: 306 })
  view.panPrice?.(20)
  expect(prices.setVisibleRange).toHaveBeenCalledWith({ from: 92, to: 112 })
  expect(states.at(-1)?.isHome).toBe(false)
  view.reset()
  expect(prices.setAutoScale).toHaveBeenCalledWith(true)
  expect(states.at(-1)?.isHome).toBe(true)
  view.pan(-150)
  expect(states.at(-1)).toEqual({ isHome: false, isNearOldest: true })
})

it('a view that is made again begins where the one before was left', () => {
  const chart = { timeScale: () => scale } as unknown as IChartApi
  const made = (moved: ReturnType<typeof createChartView>['moved']) => {
    const view = createChartView(chart, frame, { moved })
    view.candlesChanged({ kind: 'other' }, 300)
    return view
  }
  const left = made(null)
  expect(left.moved).toBeNull()
  left.pan(-50)
  const again = made(left.moved)
  expect(again.moved).toEqual(left.moved)
  expect(again.state.isHome).toBe(false)
})

it('a chart of everything begins with all its candles and moves to a stretch, its prices always fitting', () => {
  const chart = { timeScale: () => scale } as unknown as IChartApi
  const view = createChartView(chart, WHOLE_FRAME)
  view.candlesChanged({ kind: 'other' }, 1000)
  expect(scale.setVisibleLogicalRange).toHaveBeenLastCalledWith({ from: -0.5, to: 1014.5 })
  expect(view.panPrice).toBeUndefined()
  view.lookAt(500, 510)
  expect(view.moved).toEqual({ from: 442.5, to: 567.5 })
  view.reset()
  expect(view.moved).toBeNull()
})
