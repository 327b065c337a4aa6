import type { Model, ModelArtifact } from '@shapecast/contracts/ml'
import { formatCounted } from '#kit/format/number.ts'
import { formatInterval, formatShareRatio } from '#kit/format/percent.ts'

/** `BTC` of `BTCUSDT`. */
const coinOf = (symbol: string): string => (symbol.endsWith('USDT') && symbol !== 'USDT' ? symbol.slice(0, -4) : symbol)

const distinct = (values: readonly string[]) => [...new Set(values)]

/** What a version is trained on: `BTC, 1h`, `4 coins, 1h`, `BTC, 1h and 4h`. */
export function seriesWords(artifacts: readonly Pick<ModelArtifact, 'symbol' | 'timeframe'>[]): string {
  const coins = distinct(artifacts.map(({ symbol }) => coinOf(symbol)))
  const timeframes = distinct(artifacts.map(({ timeframe }) => timeframe))
  if (coins.length === 0) return 'not trained yet'
  return `${coins.length === 1 ? coins[0] : formatCounted(coins.length, 'coin')}, ${timeframes.join(' and ')}`
}

/** What a version's accuracy is to be held against: its interval, and the better of the two naive rules. */
export function evidenceWords({ interval, baseline }: Pick<Model['stats'], 'interval' | 'baseline'>): string | null {
  if (interval === null || baseline === null) return null
  return `${formatInterval(interval)} · baseline ${formatShareRatio(baseline)}`
}
