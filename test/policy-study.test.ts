import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { POLICIES, Policy, STOPS_HINT } from '@shapecast/contracts/policies'
import { HOLD_FIGURES, policyFigures, STUDIED_FROM, STUDIED_TO } from '@shapecast/contracts/policy-figures'
import { expect, it } from 'vitest'
import { studyPolicies } from '../bench/study/policy-study.ts'
import { readAllCandles } from '../bench/study/read-file.ts'

const folder = process.env.SHAPECAST_DATA ?? resolve(import.meta.dirname, '../../shared/data')

/** Final equity, Sharpe ratio, worst drawdown in %, trades, turnover a year: docs/model-recipe.md. */
const STUDIED: readonly [file: string, from: string, to: string, volatility: number, Record<string, number[]>][] = [
  [
    'BTCUSDT-1h-2017-2024.csv',
    '2022-01-01',
    '2024-04-21',
    0.63335,
    {
      hold: [1.4036, 0.543, -67.38, 1, 0.43],
      fixed_share: [1.2901, 0.54, -40.94, 13, 0.52],
      steady_risk: [1.8795, 0.877, -48.87, 9, 0.82],
      trend_steady_risk: [1.7696, 1.014, -29.14, 139, 18.14],
    },
  ],
  [
    'ETHUSDT-1h.csv',
    '2022-07-01',
    '2024-06-25',
    1.11197,
    {
      hold: [3.127, 1.224, -46.39, 1, 0.5],
      fixed_share: [1.9429, 1.219, -25.2, 15, 0.65],
      steady_risk: [2.3362, 1.279, -23.94, 6, 0.58],
      trend_steady_risk: [1.4809, 0.804, -24.85, 128, 18.07],
    },
  ],
]

for (const [file, from, to, volatility, expected] of STUDIED)
  it.skipIf(!existsSync(resolve(folder, file)))(`the policies on ${file} come to the studied figures`, async () => {
    const candles = await readAllCandles(resolve(folder, file), '1h')
    const study = studyPolicies(candles, '1h', Date.parse(from), Date.parse(to))
    expect(study.volatility).toBeCloseTo(volatility, 5)
    for (const [rule, [equity, sharpe, drawdown, trades, turnover]] of Object.entries(expected)) {
      const row = study.rules.find((each) => each.rule === rule)!
      expect(row.finalEquity / equity!, `equity of ${rule}`).toBeCloseTo(1, 3)
      expect(row.sharpe, `Sharpe ratio of ${rule}`).toBeCloseTo(sharpe!, 2)
      expect(row.maxDrawdownPct, `drawdown of ${rule}`).toBeCloseTo(drawdown!, 1)
      expect(row.trades, `trades of ${rule}`).toBe(trades)
      expect(Math.abs(row.turnoverPerYear / turnover! - 1), `turnover of ${rule}`).toBeLessThan(0.03)
    }
    expect(study.rules.find(({ rule }) => rule === 'long_after_a_fall')!.finalEquity).toBeLessThan(0.001)
  })

const STUDIED_FILE = resolve(folder, 'BTCUSDT-1h-2017-2024.csv')
it.skipIf(!existsSync(STUDIED_FILE))(
  'the figures that people see before they choose a policy are those of the study',
  async () => {
    const candles = await readAllCandles(STUDIED_FILE, '1h')
    const { rules } = studyPolicies(candles, '1h', Date.parse(STUDIED_FROM), Date.parse(STUDIED_TO))
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

it('docs/bots.md has the sentence of every policy, and why stops are off', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../docs/bots.md'), 'utf8')
  for (const [policy, { sentence }] of Object.entries(POLICIES)) {
    expect(text).toContain(`| \`${policy}\` |`)
    expect(text).toContain(sentence)
  }
  expect(text).toContain(STOPS_HINT)
})
