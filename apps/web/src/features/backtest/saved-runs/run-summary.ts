import type { BacktestRunSummary } from '@shapecast/contracts/backtest'
import { formatCount, formatRatio } from '../../../shared/format/number.ts'
import { formatDate, formatDay } from '../../../shared/format/time.ts'
import { wholePct } from '../results/seen-facts.ts'

/** `v3.2`, `3 models`, `OpenAI`; null where a run names no model. */
export function runModelText(params: BacktestRunSummary['params']): string | null {
  if (params.strategy === 'openai') return 'OpenAI'
  const several = params.mlModelVersions?.length ?? 0
  return several > 1 ? `${several} models` : (params.mlModelVersion ?? params.mlModelVersions?.[0] ?? null)
}

/** `21 Oct · 66 trades · PF 1.38`; nothing breaks between PF and its figure; with the year where the run did not begin in the year of `nowMs`. */
export function runLine(run: Pick<BacktestRunSummary, 'startTime' | 'metrics'>, nowMs: number): string {
  const sameYear = new Date(run.startTime).getUTCFullYear() === new Date(nowMs).getUTCFullYear()
  const { trades, profitFactor } = run.metrics
  return [
    sameYear ? formatDay(run.startTime) : formatDate(run.startTime),
    `${formatCount(trades)} ${trades === 1 ? 'trade' : 'trades'}`,
    `PF\u00a0${formatRatio(profitFactor)}`,
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
