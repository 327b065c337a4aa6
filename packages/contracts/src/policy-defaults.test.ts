import { expect, it } from 'vitest'
import { defaultDrawdown, holdsShare, mostDrawdownPct, POLICIES, Policy, smallestBalance } from './policies.ts'
import { haltedYears, RECOMMENDED_START, STUDIED_YEARS } from './policy-figures.ts'

it('orders of 10 USDT need 100 USDT a pair for the trends, 67 for steady risk, 200 for a fixed share; of 5 half as much', () => {
  for (const [policy, works] of [
    ['trend_ensemble', 100],
    ['trend_steady_risk', 100],
    ['steady_risk', 67],
    ['model_brake', 67],
    ['fixed_share', 200],
  ] as const) {
    expect(smallestBalance(policy, 1)).toEqual({ works, refusedBelow: works / 2 })
    expect(smallestBalance(policy, 2)!.works).toBe(2 * works)
    expect(smallestBalance(policy, 2, 5)!.works).toBe(works)
  }
  expect(smallestBalance('signal', 1)).toBeNull()
})

it('every policy that holds a share has a default limit that none of the studied years reached, within what it may have', () => {
  for (const policy of Policy.options)
    for (const risk of ['low', 'medium', 'high'] as const) {
      const limit = defaultDrawdown(policy, risk)
      expect(limit).toBeLessThanOrEqual(mostDrawdownPct(policy))
      expect(haltedYears(policy, risk, limit), POLICIES[policy].name).toBe(holdsShare(policy) ? 0 : null)
      expect(haltedYears(policy, risk, 1)).toBe(holdsShare(policy) ? STUDIED_YEARS : null)
    }
  expect(defaultDrawdown('signal', 'medium')).toBe(10)
  expect(haltedYears('trend_ensemble', 'medium', 20)).toBe(68)
  expect(haltedYears('trend_ensemble', 'medium', 20.9)).toBe(68)
})

it('the recommended start has its policy’s own limit, and money enough for two pairs', () => {
  const { policy, riskLevel, tradingPairs, initialBalance, maxDrawdown } = RECOMMENDED_START
  expect(maxDrawdown).toBe(defaultDrawdown(policy, riskLevel))
  expect(initialBalance).toBeGreaterThan(smallestBalance(policy, tradingPairs.length)!.works)
})
