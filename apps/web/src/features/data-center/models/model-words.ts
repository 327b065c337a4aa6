import type { Model, ModelArtifact } from '@shapecast/contracts/ml'
import { formatCounted, formatFixed } from '../../../shared/format/number.ts'
import { formatInterval } from '../../../shared/format/percent.ts'

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

/**
 * The interval beside a version's accuracy. A mean over several series has none of its own, so the span of theirs is
 * given, and said to be that.
 */
export function intervalWords(artifacts: Model['artifacts']): string | null {
  const [only, ...more] = artifacts
  if (only === undefined) return null
  if (more.length === 0) return formatInterval(only.accuracy.interval)
  const low = Math.min(...artifacts.map(({ accuracy }) => accuracy.interval[0]))
  const high = Math.max(...artifacts.map(({ accuracy }) => accuracy.interval[1]))
  return `95% CIs within ${formatFixed(low * 100, 1)}–${formatFixed(high * 100, 1)}`
}
