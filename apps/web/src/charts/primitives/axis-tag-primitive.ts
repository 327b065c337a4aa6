import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, SeriesAttachedParameter, Time } from 'lightweight-charts'

export interface AxisTagStyle {
  readonly ground: string
  readonly text: string
}

/** The last value of a series on the price axis, in the colours of its kind. */
export class AxisTagPrimitive implements ISeriesPrimitive<Time> {
  #value: number
  #text: string
  #attached: SeriesAttachedParameter<Time> | null = null
  readonly #views: readonly ISeriesPrimitiveAxisView[]

  constructor(value: number, text: string, style: AxisTagStyle) {
    this.#value = value
    this.#text = text
    this.#views = [
      {
        coordinate: () => this.coordinate() ?? -100,
        text: () => this.#text,
        textColor: () => style.text,
        backColor: () => style.ground,
        visible: () => this.coordinate() !== null,
        tickVisible: () => false,
      },
    ]
  }

  get value(): number {
    return this.#value
  }

  /** Moves the tag; the chart has to be drawn again, as it is when its data changes. */
  show(value: number, text: string): void {
    this.#value = value
    this.#text = text
  }

  /** Pixels from the top of the pane; null while the tag is not on a chart. */
  coordinate(): number | null {
    return this.#attached?.series.priceToCoordinate(this.#value) ?? null
  }

  attached(param: SeriesAttachedParameter<Time>): void {
    this.#attached = param
  }

  detached(): void {
    this.#attached = null
  }

  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.#views
  }
}

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
