import { featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { type FeatureDrift, type FeatureShift, isMostlyOutside } from './feature-drift.ts'
import type { ScoreDrift } from './score-drift.ts'
import type { Spread } from './training-profile.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `3 Nov 2026`, UTC. */
function dayOf(ms: number): string {
  const date = new Date(ms)
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

const count = (n: number, word: string): string => `${n.toLocaleString('en-US')} ${word}${n === 1 ? '' : 's'}`

/** The live score in a sentence without its full stop. */
export function scoreVerdict({ decision, against, crossedAt, ts, mean, bar }: ScoreDrift): string {
  if (decision === 'unknown') return 'Not judged live yet'
  if (crossedAt === null)
    return against === 'holdout'
      ? `Nothing in ${count(ts.length, 'outcome')} says that it got worse than on its hold-out`
      : `Nothing in ${count(ts.length, 'outcome')} says that it is worse than knowing nothing`
  const shown = `Since ${dayOf(ts[crossedAt]!)} it is shown to predict worse than`
  const score = `Brier score ${mean!.toFixed(4)} over ${count(ts.length, 'outcome')}`
  return against === 'climatology'
    ? `${shown} knowing nothing: ${score}, climatology ${bar!.toFixed(4)}`
    : `${shown} on its hold-out${decision === 'worse' ? ', and no better than knowing nothing' : ''}: ${score}, at most ${bar!.toFixed(4)} there`
}

/** The features in a clause that goes on from the score's sentence. */
export function featureVerdict({ shifted, shiftedByChance, drifts, features }: FeatureDrift): string {
  if (shifted === 0) return `no drift: all ${features.length} features look as in training`
  const some = `${shifted} of ${features.length} features ${shifted === 1 ? 'has' : 'have'} shifted`
  if (!drifts) return `${some}, which stretches of training show too (up to ${shiftedByChance})`
  if (features.some((shift) => shift.shifted && isMostlyOutside(shift.outside)))
    return `${some}, one of them mostly to where training has shown nothing`
  return shifted > shiftedByChance
    ? `${some}, where no stretch of training shows more than ${shiftedByChance}`
    : `${some}, one of them by more than three times what training shows`
}

const RAW_LABELS: Readonly<Record<string, string>> = {
  open: 'Open price',
  high: 'High price',
  low: 'Low price',
  close: 'Close price',
  volume: 'Traded volume',
}

/** What a model's input means, in a few words. */
export const inputLabel = (name: string, timeframe: Timeframe): string =>
  featuresOf(timeframe).find((feature) => feature.name === name)?.label ?? RAW_LABELS[name] ?? name

/** Logarithms that say more as percent of a candle. */
const IN_PERCENT = new Set(['log_sigma', 'log_sigma_slow'])

/** A number with about three digits, a true minus, and none on zero. */
function figure(value: number): string {
  const size = Math.abs(value)
  const text =
    size >= 1000 ? Math.round(size).toLocaleString('en-US') : String(Number(size.toPrecision(size >= 100 ? 3 : 2)))
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

const share = (ratio: number): string => (ratio > 0 && ratio < 0.01 ? 'less than 1%' : `${Math.round(ratio * 100)}%`)

/**
 * What changed, with numbers: the median then → now, the middle 90% then → now, and how many candles lie outside of what
 * training has shown.
 */
export function shiftWords({ name, was, now, outside }: FeatureShift): string {
  const write = (value: number): string => (IN_PERCENT.has(name) ? `${figure(100 * Math.exp(value))}%` : figure(value))
  const middle = ({ low, high }: Spread): string => `${write(low)} to ${write(high)}`
  const left =
    outside === 0
      ? 'no candle lies outside what it was trained on'
      : `${share(outside)} of candles lie outside what it was trained on`
  return `median ${write(was.median)} → ${write(now.median)}; the middle 90% ${middle(was)} → ${middle(now)}; ${left}`
}
