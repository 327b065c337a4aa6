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
