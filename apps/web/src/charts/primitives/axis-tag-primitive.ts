import type { ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts'

export interface AxisTagStyle {
  readonly ground: string
  readonly text: string
}

/** The last value of a series on the price axis, in the colours of its kind. */
export function axisTag(first: number, firstText: string, style: AxisTagStyle) {
  let [value, text] = [first, firstText]
  let attached: SeriesAttachedParameter<Time> | null = null
  const at = () => attached?.series.priceToCoordinate(value) ?? null
  const views = [
    {
      coordinate: () => at() ?? -100,
      text: () => text,
      textColor: () => style.text,
      backColor: () => style.ground,
      visible: () => at() !== null,
      tickVisible: () => false,
    },
  ]
  return {
    value: () => value,
    /** Moves the tag; the chart has to be drawn again, as it is when its data changes. */
    show(next: number, words: string): void {
      ;[value, text] = [next, words]
    },
    attached(param: SeriesAttachedParameter<Time>): void {
      attached = param
    },
    detached(): void {
      attached = null
    },
    priceAxisViews: () => views,
  } satisfies ISeriesPrimitive<Time> & Record<'value' | 'show', unknown>
}
export type AxisTag = ReturnType<typeof axisTag>

/** Closer than this, in px, a label of the axis would show behind a tag. */
const TAG_REACH_PX = 17
/** Tags that overlap are moved apart by the library, one of them by as much as they overlap. */
const TAG_HEIGHT_PX = 18

function overlapOf(tags: readonly number[]): number {
  let overlap = 0
  tags.forEach((a, i) => {
    for (const b of tags.slice(i + 1)) overlap = Math.max(overlap, TAG_HEIGHT_PX - Math.abs(a - b))
  })
  return overlap
}

/**
 * Texts of the ticks of a price axis. A tick under a tag has no text. `y` gives the pixel of a price, null where it
 * has none.
 */
export function tickLabels(
  prices: readonly number[],
  tags: readonly number[],
  y: (price: number) => number | null,
  format: (price: number) => string,
): string[] {
  const tagged = tags.map(y).filter((at): at is number => at !== null)
  const reach = TAG_REACH_PX + overlapOf(tagged)
  return prices.map((price) => {
    const at = y(price)
    return at !== null && tagged.some((tag) => Math.abs(tag - at) < reach) ? '' : format(price)
  })
}
