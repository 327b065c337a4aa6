import type {
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'
import type { DrawTarget } from './draw-target.ts'

/** Something drawn over or under a series: knows the chart while it is on one, and the layers that it draws. */
export abstract class PanePrimitive implements ISeriesPrimitive<Time> {
  /** Null while it is on no chart. */
  protected attachment: SeriesAttachedParameter<Time> | null = null
  readonly #views: readonly IPrimitivePaneView[]

  protected constructor(layers: Partial<Record<PrimitivePaneViewZOrder, (target: DrawTarget) => void>>) {
    this.#views = Object.entries(layers).map(([zOrder, draw]) => ({
      zOrder: () => zOrder as PrimitivePaneViewZOrder,
      renderer: () => ({ draw }),
    }))
  }

  attached(param: SeriesAttachedParameter<Time>): void {
    this.attachment = param
  }

  detached(): void {
    this.attachment = null
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }
}
