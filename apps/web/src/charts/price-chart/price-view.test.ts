import type { IChartApi, ISeriesApi } from 'lightweight-charts'
import { expect, it, vi } from 'vitest'
import { createPriceView, type PriceViewState } from './price-view.ts'

const prices = { getVisibleRange: () => ({ from: 90, to: 110 }), setVisibleRange: vi.fn(), setAutoScale: vi.fn() }
const series = { priceScale: () => prices, coordinateToPrice: (px: number) => 110 - px / 10 }
const scale = { width: () => 1000, setVisibleLogicalRange: vi.fn() }

it('moving the prices turns their fitting off until a reset; moving in time asks for older candles in time', () => {
  const states: PriceViewState[] = []
  const chart = { timeScale: () => scale } as unknown as IChartApi
  const view = createPriceView(chart, series as unknown as ISeriesApi<'Line'>, 100, (state) => states.push(state))
  view.candlesChanged({ kind: 'other' }, 300)
  expect(states.at(-1)).toEqual({ isHome: true, isNearOldest: false })
  expect(scale.setVisibleLogicalRange).toHaveBeenLastCalledWith({ from: 200, to: 306 })
  view.panPrice(20)
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
  const made = (moved: ReturnType<typeof createPriceView>['moved']) => {
    const view = createPriceView(chart, series as unknown as ISeriesApi<'Line'>, 100, () => undefined, moved)
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
