import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { nodeText } from '@shapecast/engine/rules/print'
import { createRuleColumns } from '@shapecast/engine/rules/rule-columns'
import { conditionsOf, type Node, partsOf, type Rule, type Value } from '@shapecast/engine/rules/tree'
import type { PriceLine } from '#charts/backtest-chart/backtest-chart-data.ts'

/** Indicators whose values are prices where what they work on is one. */
const PRICES = [
  'sma',
  'ema',
  'wilder',
  'highest',
  'lowest',
  'bollinger_upper',
  'bollinger_lower',
  'donchian_upper',
  'donchian_lower',
]
const LOOKS = ['ema_fast', 'ema_slow', 'sma_fast', 'donchian_upper'] as const

type Indicator = Extract<Value, { kind: 'indicator' }>
const isPrice = ({ name, input }: Indicator): boolean =>
  PRICES.includes(name) &&
  (input === null || (input.kind === 'series' && ['open', 'high', 'low', 'close'].includes(input.name)))

const indicatorsIn = (node: Node): Indicator[] =>
  node.kind === 'indicator' ? [node] : partsOf(node).flatMap(indicatorsIn)

/** The first four indicators of a rule that are prices, on candles; NaN while they warm up. */
export function ruleLines(rule: Rule, rows: readonly CandleRow[], timeframe: Timeframe): PriceLine[] {
  const [ts, open, high, low, close, volume] = [0, 1, 2, 3, 4, 5].map((k) => Float64Array.from(rows, (row) => row[k]!))
  const candles = { length: rows.length, ts: ts!, open: open!, high: high!, low: low!, close: close!, volume: volume! }
  const columns = createRuleColumns({ candles, timeframe, forecast: null })
  const found = new Map(
    conditionsOf(rule)
      .flatMap(indicatorsIn)
      .filter(isPrice)
      .map((node) => [nodeText(node), node]),
  )
  return [...found]
    .slice(0, LOOKS.length)
    .map(([name, node], k) => ({ name, look: LOOKS[k]!, values: columns.value(node) }))
}
