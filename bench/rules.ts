/**
 * A rule on 70,000 hourly candles: reading its text, working out its columns, and the whole backtest with metrics, beside
 * the backtest of a signal whose decisions are given, in turns; then one decision live, and the comparison with random
 * entries, and how soon hostile rules are refused.
 *
 *   node bench/rules.ts
 */
import { runBacktest } from '@shapecast/engine/backtest'
import { backtestSettings } from '@shapecast/engine/backtest-settings'
import { metricsOf } from '@shapecast/engine/metrics'
import { createRandom } from '@shapecast/engine/random'
import { parseRule } from '@shapecast/engine/rules/parse'
import { entryStudyOf, judgeEntries } from '@shapecast/engine/rules/random-entries'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { ruleDecisionAt, ruleDecisions } from '@shapecast/engine/rules/rule-decisions'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { alternate } from './lib/rounds.ts'

const RULES = {
  'EMA cross': 'enter: ema(20) crosses above ema(50) exit: ema(20) crosses below ema(50) stop: 3%',
  'six indicators':
    'enter: ema(20) > ema(200) and rsi(14) < 70 and adx(14) > 20 and vol(240) < 80% exit: close < bollinger_lower(20, 2) or stochastic_k(14, 3) > 90 stop: 3% trail: 5% time: 48',
}

const candles = generateCandles({ candles: 70_000, seed: 1 })
const settings = backtestSettings({
  market: 'spot',
  timeframe: '1h',
  initialBalance: 1000,
  leverage: 1,
  sizing: { kind: 'percent_of_equity', pct: 100 },
  feeRate: 0.0006,
  slippageBps: 5,
  stopLossPct: 3,
})
const data = { candles, timeframe: '1h', forecast: null } as const
const ms = (time: number) => `${time.toFixed(2)} ms`

for (const [name, text] of Object.entries(RULES)) {
  const rule = parseRule(text)
  const decide = () => ruleDecisions(rule, createRuleColumns(data))
  const decisions = decide()
  const test = (codes: Int8Array) => {
    const result = runBacktest(candles, codes, settings)
    return { result, metrics: metricsOf(result, candles) }
  }
  const { result } = test(decisions)
  const judge = () => judgeEntries([entryStudyOf(candles, result.trades, settings)], createRandom(1))
  const times = alternate({
    signal: () => test(decisions),
    rule: () => test(ruleDecisions(parseRule(text), createRuleColumns(data))),
    columns: decide,
    read: () => parseRule(text),
    live: () => ruleDecisionAt(rule, data, 65_000, null),
    judge,
  })
  console.log(
    `${name}: ${result.trades.length} trades; reading ${ms(times.read)}, columns ${ms(times.columns)}; backtest of the rule ` +
      `${ms(times.rule)}, of a signal ${ms(times.signal)}, ratio ${(times.rule / times.signal).toFixed(2)}; one decision ` +
      `live ${ms(times.live)}; 999 random entries ${ms(times.judge)}`,
  )
}

const HOSTILE = [
  `enter: ${'close + '.repeat(10_000)}1 > 2 time: 1`,
  `enter: ${'1>2or '.repeat(400)}1>2 time: 1`,
  `enter: ${'('.repeat(1000)}1 > 2`,
  'enter: constructor > __proto__ time: 1',
  `enter: ${'x'.repeat(3000)} > 1 time: 1`,
  'enter: close > close[1e300] time: 1',
  'enter: close[9000][9000] > 1 time: 1',
]
const refused = HOSTILE.map((text) => {
  const startedAt = performance.now()
  try {
    parseRule(text)
  } catch {
    return performance.now() - startedAt
  }
  throw new Error(`Not refused: ${text.slice(0, 40)}`)
})
console.log(`${HOSTILE.length} hostile rules are refused in at most ${ms(Math.max(...refused))}, each read once`)
