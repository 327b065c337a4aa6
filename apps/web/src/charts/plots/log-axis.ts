import type { Axis } from './linear-scale.ts'

const MOST_TICKS = 6

/** The logarithm that a log axis is drawn in; what is 0 or less lies at its foot. */
export const logOf = (value: number, least = 1e-3): number => Math.log10(Math.max(least, value))

/** An axis of whole powers of ten around the values, at least from `from` to `to`; its ticks are their logarithms. */
export function powerAxis(values: readonly number[], from: number, to: number): Axis {
  const logs = [...values, from, to].map((value) => logOf(value))
  const [low, high] = [Math.floor(Math.min(...logs) + 1e-9), Math.ceil(Math.max(...logs) - 1e-9)]
  const every = Math.max(1, Math.ceil((high - low) / MOST_TICKS))
  const ticks = Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, i) => low + i * every)
  return { from: low, to: high, ticks }
}
