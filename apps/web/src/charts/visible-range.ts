/** A stretch of the time axis in candle indices; fractions lie between two candles. */
export interface VisibleRange {
  readonly from: number
  readonly to: number
}

/** How far a range may reach, and the fewest candles that it may show. */
export interface RangeLimits {
  readonly whole: VisibleRange
  readonly minSpan: number
}

export const ZOOM_STEP = 1.1
/** Share of the data that can fill the chart at the strongest zoom. */
export const MIN_SPAN_RATIO = 1 / 50
/** Free space right of the last candle, as a share of the data. */
const RIGHT_PADDING_RATIO = 0.015

/** All `count` candles with a little space at the right. */
export function wholeRange(count: number): VisibleRange {
  return { from: -0.5, to: count - 0.5 + Math.max(0.5, count * RIGHT_PADDING_RATIO) }
}

/** Moves a range back inside `whole` without changing its span; a span beyond that becomes the whole. */
export function clampWithin(range: VisibleRange, whole: VisibleRange): VisibleRange {
  const span = range.to - range.from
  if (span >= whole.to - whole.from) return whole
  if (range.from < whole.from) return { from: whole.from, to: whole.from + span }
  if (range.to > whole.to) return { from: whole.to - span, to: whole.to }
  return range
}

/** Zooms around `anchor` (an index that stays where it is): `steps` above 0 go in by 1.1 each, below 0 out. */
export function zoomWithin(range: VisibleRange, anchor: number, steps: number, limits: RangeLimits): VisibleRange {
  const { whole, minSpan } = limits
  const span = range.to - range.from
  const wanted = span / ZOOM_STEP ** steps
  const next = Math.min(whole.to - whole.from, Math.max(minSpan, wanted))
  const share = span === 0 ? 0.5 : Math.min(1, Math.max(0, (anchor - range.from) / span))
  const from = anchor - share * next
  return clampWithin({ from, to: from + next }, whole)
}

/** Moves the range by `candles` (above 0: to newer ones), as far as `whole` reaches. */
export function panWithin(range: VisibleRange, candles: number, whole: VisibleRange): VisibleRange {
  return clampWithin({ from: range.from + candles, to: range.to + candles }, whole)
}

/** `zoomWithin` all `count` candles; the span stays between 1/50 of the data and all of it. */
export function zoomRange(range: VisibleRange, anchor: number, steps: number, count: number): VisibleRange {
  const minSpan = Math.max(1, count * MIN_SPAN_RATIO)
  return zoomWithin(range, anchor, steps, { whole: wholeRange(count), minSpan })
}

/** `panWithin` all `count` candles. */
export function panRange(range: VisibleRange, candles: number, count: number): VisibleRange {
  return panWithin(range, candles, wholeRange(count))
}
