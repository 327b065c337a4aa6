/** Maps a value of the domain to px. */
export type Scale = (value: number) => number

/** The straight map of [from, to] onto [startPx, endPx]; the middle where the domain has no width. */
export const linearScale = (from: number, to: number, startPx: number, endPx: number): Scale =>
  from === to ? () => (startPx + endPx) / 2 : (value) => startPx + ((value - from) / (to - from)) * (endPx - startPx)

/** A step of 1, 2 or 5 times a power of ten that divides `span` into about `count` parts. */
function roundStep(span: number, count: number): number {
  const raw = span / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const lead = raw / power
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10)
}

export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
}

/** An axis that begins and ends at round ticks around the values, about `count` parts long. Values must not be empty. */
export function roundAxis(values: readonly number[], count: number, limits: readonly [number, number]): Axis {
  const low = Math.min(...values)
  const high = Math.max(...values)
  const step = roundStep(high - low > 1e-12 ? high - low : Math.abs(high) || 1, count)
  const first = Math.max(Math.floor(low / step + 1e-9), Math.ceil(limits[0] / step - 1e-9))
  const last = Math.min(Math.ceil(high / step - 1e-9), Math.floor(limits[1] / step + 1e-9))
  const ticks = Array.from({ length: Math.max(1, last - first) + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
  return { from: ticks[0]!, to: ticks.at(-1)!, ticks }
}

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
