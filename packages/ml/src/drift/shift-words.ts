import { featuresOf } from '@shapecast/contracts/features'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { FeatureShift } from './feature-drift.ts'
import type { Spread } from './training-profile.ts'

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
