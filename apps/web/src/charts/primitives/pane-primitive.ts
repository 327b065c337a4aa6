import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'

/** The canvas that the chart library hands to a renderer. */
export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0]

type Scope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0]

/** Draws in CSS pixels, whatever the screen's density. */
export function drawInPixels(target: DrawTarget, draw: (scope: Scope) => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of the chart library's canvas, no React hook
  target.useMediaCoordinateSpace(draw)
}

/** Device pixels for one CSS pixel, across and down. */
export interface PixelRatio {
  readonly horizontal: number
  readonly vertical: number
}

/** `drawInPixels` that also says how dense the screen is, so that edges can be put on device pixels. */
export function drawOnDevice(target: DrawTarget, draw: (scope: Scope, ratio: PixelRatio) => void): void {
  let ratio: PixelRatio = { horizontal: 1, vertical: 1 }
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of the chart library's canvas, no React hook
  target.useBitmapCoordinateSpace(({ horizontalPixelRatio, verticalPixelRatio }) => {
    ratio = { horizontal: horizontalPixelRatio, vertical: verticalPixelRatio }
  })
  drawInPixels(target, (scope) => draw(scope, ratio))
}

/** The axes of a pane whose prices are on a linear scale, in CSS pixels, and the candle indices in view. */
export interface LinearAxes {
  readonly x: (index: number) => number
  readonly y: (price: number) => number
  readonly spacingPx: number
  /** First and last index that is to be drawn, whole. */
  readonly from: number
  readonly to: number
}

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

  /** Two points of each axis give all others without asking the library again; null while nothing is in view. */
  protected linearAxes(): LinearAxes | null {
    const { attachment } = this
    const scale = attachment?.chart.timeScale()
    const range = scale?.getVisibleLogicalRange()
    if (attachment === null || scale === undefined || range === null || range === undefined) return null
    const [x0, x1] = [scale.logicalToCoordinate(0 as Logical), scale.logicalToCoordinate(1 as Logical)]
    const [y0, y1] = [attachment.series.priceToCoordinate(0), attachment.series.priceToCoordinate(1e6)]
    if (x0 === null || x1 === null || y0 === null || y1 === null) return null
    const spacingPx = x1 - x0
    const pxOfPrice = (y1 - y0) / 1e6
    return {
      x: (index) => x0 + index * spacingPx,
      y: (price) => y0 + price * pxOfPrice,
      spacingPx,
      from: Math.max(0, Math.floor(range.from)),
      to: Math.ceil(range.to),
    }
  }
}
