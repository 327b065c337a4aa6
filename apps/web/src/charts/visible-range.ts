/** A stretch of the time axis in candle indices; a candle reaches from half before its index to half after it. */
export interface VisibleRange {
  readonly from: number
  readonly to: number
}

/** How far a range may reach, and the fewest candles that it may show. */
export interface RangeLimits {
  readonly whole: VisibleRange
  readonly minSpan: number
}

/** Where a chart of `count` candles can go, and what it shows at first. */
export interface ChartFrame {
  limits(count: number, widthPx: number): RangeLimits
  home(count: number, widthPx: number): VisibleRange
}

export const ZOOM_STEP = 1.1
/** Share of the data that can fill the chart at the strongest zoom. */
const MIN_SPAN_RATIO = 1 / 50
/** Free space right of the last candle, as a share of the data. */
const RIGHT_PADDING_RATIO = 0.015
/** Free space left of the first candle. */
const LEFT_SPACE = 0.5

/** All `count` candles with a little space at both ends. */
export const wholeRange = (count: number): VisibleRange => ({
  from: -0.5 - LEFT_SPACE,
  to: count + Math.max(0.5, count * RIGHT_PADDING_RATIO),
})

/** Of charts that begin with all their candles. */
export const WHOLE_FRAME: ChartFrame = {
  limits: (count) => ({ whole: wholeRange(count), minSpan: Math.max(2, count * MIN_SPAN_RATIO) }),
  home: wholeRange,
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

/** The range after all indices have moved by `by`: what it showed, or as many candles later. */
export const moveRange = (range: VisibleRange, by: number): VisibleRange => ({
  from: range.from + by,
  to: range.to + by,
})

/** Moves the range by `candles` (above 0: to newer ones), as far as `whole` reaches. */
export const panWithin = (range: VisibleRange, candles: number, whole: VisibleRange): VisibleRange =>
  clampWithin(moveRange(range, candles), whole)

/** After `added` new candles: moved along where the last candle was in view, else left where it is. */
export function followNew(range: VisibleRange, countBefore: number, added: number): VisibleRange {
  return range.to >= countBefore - 1 ? moveRange(range, added) : range
}

/** Whether it is time to load older candles: less than half a screen of them is left at the left. */
export const isNearOldest = (range: VisibleRange): boolean => range.from < (range.to - range.from) / 2
