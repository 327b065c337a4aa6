import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { describe, expect, it } from 'vitest'
import {
  costsOf,
  costValuesOf,
  costWords,
  postedWords,
  USUAL_COSTS,
  venuesOf,
  whyNotPosted,
  wrongCosts,
} from './costs.ts'

const trend = { policy: 'trend_ensemble', timeframe: '1h' } as const
const kraken = { feePct: 0.4, makerPct: 0.25, slippageBps: 5, postOnly: true }

describe('costs in a form', () => {
  it('are 0.06% and 5 bps, and what a bot has comes back as it was', () => {
    expect(costsOf(USUAL_COSTS, trend)).toEqual(COST_DEFAULTS)
    const bnb = { feeRate: 0.00075, slippageBps: 2, postOnly: { makerFeeRate: 0.0002 } }
    expect(costsOf(costValuesOf(bnb), trend)).toEqual(bnb)
  })

  it('rest where a maker pays 3 bps less, of a policy that holds a share, with candles of 1h or smaller', () => {
    expect(costsOf(kraken, trend)).toEqual({ feeRate: 0.004, slippageBps: 5, postOnly: { makerFeeRate: 0.0025 } })
    expect(costsOf({ ...kraken, makerPct: 0.38 }, trend)).toEqual({ feeRate: 0.004, slippageBps: 5 })
    expect(whyNotPosted({ ...kraken, makerPct: 0.37 }, trend)).toBeNull()
    expect(whyNotPosted(kraken, { ...trend, timeframe: '4h' })).toContain('1h or smaller')
    expect(whyNotPosted(kraken, { ...trend, policy: 'signal' })).toContain('hold a share')
  })

  it('name 0.075% of Binance paid in BNB, and none above 10%', () => {
    expect(venuesOf('spot').find(({ value }) => value === 'Binance, paid in BNB')).toMatchObject({
      label: 'Binance spot, paid in BNB',
      note: '0.075% / 0.075%',
      feePct: 0.075,
    })
    expect(wrongCosts({ ...kraken, feePct: 10.5, makerPct: 10 })).toEqual({ feePct: 'Must be at most 10' })
  })

  it('are said in words, and so is what waiting came to', () => {
    expect(costWords(COST_DEFAULTS)).toBe('0.06% + 5 bps')
    expect(costWords({ feeRate: 0.004, slippageBps: 5, postOnly: { makerFeeRate: 0.0025 } })).toBe(
      '0.4% + 5 bps, 0.25% post-only',
    )
    expect(postedWords({ orders: 20, filled: 18, saved: 3.2, lost: 1.1 })).toBe(
      '18 of 20 post-only orders filled at their limit. Beside taking at once: +3.20 USDT saved, −1.10 USDT lost by waiting, +2.10 USDT in all.',
    )
  })
})
