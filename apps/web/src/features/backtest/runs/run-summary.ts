import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import type { Market } from '@shapecast/contracts/market'
import { sizeWords } from '#entities/bots/bot-words.ts'
import { formatCounted, formatLeverage, formatRatio } from '#kit/format/number.ts'

/** `v3.2`, `3 models`, `OpenAI`; null where a run names no model. */
export function runModelText(params: BacktestRunSummary['params']): string | null {
  if (params.strategy === 'openai') return 'OpenAI'
  const several = params.mlModelVersions?.length ?? 0
  return several > 1 ? `${several} models` : (params.mlModelVersion ?? params.mlModelVersions?.[0] ?? null)
}

/** `BTCUSDT 1h · v3 · Futures 10×`: what was run on what. */
export function runSetup(run: Pick<BacktestRunSummary, 'symbol' | 'timeframe' | 'params'>): string {
  const { params } = run
  const market = params.marketType === 'spot' ? 'Spot' : `Futures ${formatLeverage(params.leverage)}`
  return [`${run.symbol} ${run.timeframe}`, runModelText(params), market].filter(Boolean).join(' · ')
}

/** What one trade of the run was to be worth; with its asset where the market is at hand. */
export const runSizeWords = ({ params, symbol }: Pick<BacktestRunSummary, 'params' | 'symbol'>, market?: Market) =>
  sizeWords({ ...params, parameters: params.parameters ?? null, tradingPairs: [symbol] }, () => market)

/** `27 trades · PF 1.19 · 44% seen`; nothing breaks between PF and its figure. */
export function runResult(run: Pick<BacktestRunSummary, 'metrics' | 'seenRatio'>): string {
  const caution = runCaution(run)
  return [
    formatCounted(run.metrics.trades, 'trade'),
    `PF\u00a0${formatRatio(run.metrics.profitFactor)}`,
    ...(caution === null ? [] : [caution.short]),
  ].join(' · ')
}

/** Why the return of a run is not to be believed, in a word or two and in a sentence; null where nothing is known against it. */
export function runCaution({
  seenRatio,
}: Pick<BacktestRunSummary, 'seenRatio'>): { short: string; text: string } | null {
  if (seenRatio <= 0) return null
  const share = `${wholePct(seenRatio)}%`
  return { short: `${share} seen`, text: `The model had seen, or may have seen, ${share} of this range` }
}

/** A share in whole percent; 0 and 100 are kept for none and all. */
export function wholePct(ratio: number): number {
  if (ratio <= 0) return 0
  if (ratio >= 1) return 100
  return Math.min(99, Math.max(1, Math.round(ratio * 100)))
}
