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
