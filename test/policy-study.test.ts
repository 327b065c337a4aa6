import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RiskLevel } from '@shapecast/contracts/bots'
import {
  defaultDrawdown,
  mostDrawdownPct,
  POLICIES,
  Policy,
  STOPS_HINT,
  type TargetPolicy,
} from '@shapecast/contracts/policies'
import {
  HOLD_FIGURES,
  haltedYears,
  policyFigures,
  RECOMMENDED_START,
  STUDIED_YEARS,
} from '@shapecast/contracts/policy-figures'
import { indexAtOrAfter, sliceCandles } from '@shapecast/engine/candles'
import { correlationOf } from '@shapecast/engine/policies/pair-risk'
import { createRandom } from '@shapecast/engine/random'
import { expect, it } from 'vitest'
import { drawdownGain, studyPairs, worstYearPct } from '../bench/study/policy-pairs.ts'
import { type StudiedRule, studyPolicies } from '../bench/study/policy-study.ts'
import { haltedByLimit, limitReachedBy, yearStarts } from '../bench/study/policy-years.ts'
import { readAllCandles } from '../bench/study/read-file.ts'

const folder = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../shared/data')

/** Final equity, Sharpe ratio, worst drawdown in %, trades, turnover a year: docs/model-recipe.md. */
const STUDIED: readonly [
  file: string,
  from: string,
  to: string,
  volatility: number,
  meanVotes: number,
  Record<string, number[]>,
][] = [
  [
    'BTCUSDT-1h-2017-2024.csv',
    '2022-01-01',
    '2024-04-21',
    0.63335,
    0.4180522565,
    {
      hold: [1.4036, 0.543, -67.38, 1, 0.43],
      fixed_share: [1.2901, 0.54, -40.94, 13, 0.52],
      steady_risk: [1.8795, 0.877, -48.87, 9, 0.82],
      trend_steady_risk: [1.7696, 1.014, -29.14, 139, 18.14],
      'trend_ensemble low': [1.3092, 1.036, -8.53, 97, 3.84],
      trend_ensemble: [1.6546, 1.042, -16.76, 163, 10.64],
      'trend_ensemble high': [1.5362, 0.828, -23.91, 220, 15.06],
    },
  ],
  [
    'ETHUSDT-1h.csv',
    '2022-07-01',
    '2024-06-25',
    1.11197,
    0.434622196,
    {
      hold: [3.127, 1.224, -46.39, 1, 0.5],
      fixed_share: [1.9429, 1.219, -25.2, 15, 0.65],
      steady_risk: [2.3362, 1.279, -23.94, 6, 0.58],
      trend_steady_risk: [1.4809, 0.804, -24.85, 128, 18.07],
      'trend_ensemble low': [1.2115, 0.898, -8.74, 63, 2.74],
      trend_ensemble: [1.4461, 0.938, -17.74, 120, 8.64],
      'trend_ensemble high': [1.5399, 0.889, -22.9, 175, 13.53],
    },
  ],
  [
    'SOLUSDT-1h.csv',
    '2022-07-01',
    '2024-06-25',
    1.51743,
    0.370138069,
    {
      'trend_ensemble low': [1.4497, 1.714, -7.68, 60, 1.13],
      trend_ensemble: [2.0253, 1.669, -15.11, 91, 4.04],
      'trend_ensemble high': [2.7089, 1.692, -21.55, 106, 6.52],
    },
  ],
]

function expectFigures(did: StudiedRule, [equity, sharpe, drawdown, trades, turnover]: readonly number[]): void {
  const { rule } = did
  expect(did.finalEquity / equity!, `equity of ${rule}`).toBeCloseTo(1, 3)
  expect(did.sharpe, `Sharpe ratio of ${rule}`).toBeCloseTo(sharpe!, 2)
  expect(did.maxDrawdownPct, `drawdown of ${rule}`).toBeCloseTo(drawdown!, 1)
  expect(did.trades, `trades of ${rule}`).toBe(trades)
  expect(Math.abs(did.turnoverPerYear / turnover! - 1), `turnover of ${rule}`).toBeLessThan(0.03)
}

for (const [file, from, to, volatility, meanVotes, expected] of STUDIED)
  it.skipIf(!existsSync(resolve(folder, file)))(`the policies on ${file} come to the studied figures`, async () => {
    const candles = await readAllCandles(resolve(folder, file), '1h')
    const study = studyPolicies(candles, '1h', Date.parse(from), Date.parse(to))
    expect(study.volatility).toBeCloseTo(volatility, 5)
    expect(study.meanVotes).toBeCloseTo(meanVotes, 10)
    for (const [rule, figures] of Object.entries(expected))
      expectFigures(study.rules.find((each) => each.rule === rule)!, figures)
    expect(study.rules.find(({ rule }) => rule === 'long_after_a_fall')!.finalEquity).toBeLessThan(0.001)
  })

const STUDIED_FILE = resolve(folder, 'BTCUSDT-1h-2017-2024.csv')
it.skipIf(!existsSync(STUDIED_FILE))(
  'the figures that people see before they choose a policy are those of the study',
  async () => {
    const candles = await readAllCandles(STUDIED_FILE, '1h')
    const { rules } = studyPolicies(candles, '1h', Date.parse('2022-01-01'), Date.parse('2024-04-21'))
    const studied = (rule: string) => {
      const { finalEquity, maxDrawdownPct, turnoverPerYear } = rules.find((each) => each.rule === rule)!
      const round = (value: number, digits: number) => Number(value.toFixed(digits))
      return {
        finalEquity: round(finalEquity, 4),
        maxDrawdownPct: round(maxDrawdownPct, 2),
        turnoverPerYear: round(turnoverPerYear, 2),
      }
    }
    expect(HOLD_FIGURES).toEqual(studied('hold'))
    for (const policy of Policy.options)
      for (const risk of ['low', 'medium', 'high'] as const) {
        const shown = policyFigures(policy, risk)
        const rule = risk === 'medium' || policy === 'fixed_share' ? policy : `${policy} ${risk}`
        if (shown !== null) expect(shown, rule).toEqual(studied(rule))
      }
  },
)

/**
 * Worst drawdown within a year of BTC, percent: the depth that 20, 5 and 1 % of the years reached, and the deepest; how
 * many limits of 10, 20, 30 and 50 ended.
 */
const YEARS: readonly [TargetPolicy, RiskLevel, depths: number[], halted: number[]][] = [
  ['trend_ensemble', 'low', [10.58, 13.33, 13.98, 14.55], [87, 0, 0, 0]],
  ['trend_ensemble', 'medium', [20.97, 22.24, 24.78, 25.25], [267, 68, 0, 0]],
  ['trend_ensemble', 'high', [26.99, 32.3, 36.55, 37.08], [277, 150, 19, 0]],
  ['trend_steady_risk', 'low', [13.72, 15.75, 18.12, 19.57], [200, 0, 0, 0]],
  ['trend_steady_risk', 'medium', [24.2, 29.14, 32.5, 34.86], [277, 126, 9, 0]],
  ['trend_steady_risk', 'high', [33.28, 39.46, 44.59, 46.73], [277, 269, 108, 0]],
  ['steady_risk', 'low', [25.5, 30.58, 31.26, 34.27], [268, 136, 17, 0]],
  ['steady_risk', 'medium', [48.13, 53.11, 55.31, 56.66], [277, 252, 205, 37]],
  ['steady_risk', 'high', [62.55, 69.62, 70.25, 72.51], [277, 277, 232, 145]],
  ['fixed_share', 'medium', [41.79, 46.62, 48.26, 53.13], [277, 229, 206, 2]],
]

it.skipIf(!existsSync(STUDIED_FILE))(
  'a policy on its default limit is ended in none of 277 years of BTC; other limits end as many as the form says',
  async () => {
    const candles = await readAllCandles(STUDIED_FILE, '1h')
    for (const [policy, riskLevel, depths, halted] of YEARS) {
      const years = yearStarts(candles, '1h', policy, riskLevel)
      const name = `${policy} ${riskLevel}`
      expect(years.depths.length, name).toBe(STUDIED_YEARS)
      for (const [k, share] of [0.2, 0.05, 0.01, 0].entries())
        expect(limitReachedBy(years, share), `${name}, ${share}`).toBeCloseTo(depths[k]!, 2)
      expect([10, 20, 30, 50].map((limit) => haltedYears(policy, riskLevel, limit))).toEqual(halted)
      expect(haltedYears(policy, riskLevel, defaultDrawdown(policy, riskLevel)), name).toBe(0)
      const counts = haltedByLimit(years)
      for (let limit = 1; limit <= mostDrawdownPct(policy); limit++)
        expect(haltedYears(policy, riskLevel, limit), `${name}, limit ${limit}`).toBe(counts[limit - 1] ?? 0)
    }
  },
)

const SECOND_FILE = resolve(folder, 'ETHUSDT-1h.csv')
it.skipIf(!existsSync(STUDIED_FILE) || !existsSync(SECOND_FILE))(
  'the recommended start did on BTC and ETH what stands beside its button, holding both too',
  async () => {
    const coins = new Map([
      ['BTCUSDT', await readAllCandles(STUDIED_FILE, '1h')],
      ['ETHUSDT', await readAllCandles(SECOND_FILE, '1h')],
    ])
    const { policy, studiedFrom, studiedTo, figures, hold, worstYearPct: worst, fellLess } = RECOMMENDED_START
    const daily: (readonly number[])[] = []
    for (const [rule, shown] of [
      [policy, figures],
      ['hold', hold],
    ] as const) {
      const did = studyPairs(coins, '1h', Date.parse(studiedFrom), Date.parse(studiedTo), rule)
      expect({
        finalEquity: Number(did.finalEquity.toFixed(4)),
        sharpe: Number(did.sharpe.toFixed(3)),
        maxDrawdownPct: Number(did.maxDrawdownPct.toFixed(2)),
        turnoverPerYear: Number(did.turnoverPerYear.toFixed(2)),
        trades: did.trades,
      }).toEqual(shown)
      daily.push(did.daily)
    }
    const [followed, held] = [daily[0]!, daily[1]!]
    expect(worstYearPct(followed)).toBeCloseTo(worst.followed, 1)
    expect(worstYearPct(held)).toBeCloseTo(worst.held, 1)
    expect(0.11 * figures.turnoverPerYear).toBeCloseTo(RECOMMENDED_START.costsPctAYear, 1)
    expect(figures.maxDrawdownPct - hold.maxDrawdownPct).toBeCloseTo(fellLess.points, 1)
    const random = createRandom(1)
    const [low, high] = drawdownGain(followed, held, () => random.next())
    expect([low, high].map((points) => Number(points.toFixed(1)))).toEqual(fellLess.interval)
  },
)

/** Three coins on one balance, 1 July 2022 to 21 April 2024: as above, by two programs that were written apart. */
const TOGETHER = {
  hold: [3.5558, 1.434, -53.11, 3, 0.55],
  steady_risk: [2.837, 1.79, -26.53, 33, 1.1],
  trend_steady_risk: [1.9354, 1.525, -18.49, 356, 16.21],
  trend_ensemble: [1.7695, 1.649, -11.24, 332, 8.32],
} as const

const THIRD_FILE = resolve(folder, 'SOLUSDT-1h.csv')
it.skipIf(![STUDIED_FILE, SECOND_FILE, THIRD_FILE].every((file) => existsSync(file)))(
  'three coins move together, and do together under each policy, as an independent implementation says',
  async () => {
    const files = [STUDIED_FILE, SECOND_FILE, THIRD_FILE]
    const coins = await Promise.all(files.map((file) => readAllCandles(file, '1h')))
    const known = coins.map((candles) => sliceCandles(candles, 0, indexAtOrAfter(candles, Date.parse('2023-01-15'))))
    const pairs = known.flatMap((a, i) => known.slice(0, i).map((b) => correlationOf(a, b, '1h')))
    expect(pairs.reduce((sum, rho) => sum + rho, 0) / 3).toBeCloseTo(0.7080312763, 9)

    const named = new Map(coins.map((candles, k) => [`COIN${k}`, candles]))
    const [from, to] = [Date.parse('2022-07-01'), Date.parse('2024-04-21')]
    for (const [rule, figures] of Object.entries(TOGETHER))
      expectFigures(studyPairs(named, '1h', from, to, rule as keyof typeof TOGETHER), figures)
  },
)

it('docs/bots.md has the sentence of every policy, and why stops are off', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../docs/bots.md'), 'utf8')
  for (const [policy, { sentence }] of Object.entries(POLICIES)) {
    expect(text).toContain(`| \`${policy}\` |`)
    expect(text).toContain(sentence)
  }
  expect(text).toContain(STOPS_HINT)
})
