import type {
  AutoscaleInfo,
  ISeriesPrimitive,
  Logical,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts'

/** The axes of a pane whose prices are on a linear scale, in CSS pixels, and the candle indices in view. */
export interface LinearAxes {
  readonly x: (index: number) => number
  readonly y: (price: number) => number
  readonly spacingPx: number
  /** First and last index that is to be drawn, whole. */
  readonly from: number
  readonly to: number
}

/** What a layer is drawn on, in CSS pixels, whatever the screen's density. */
export interface Pane {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
  /** Device pixels for one CSS pixel, so that edges can be put on device pixels. */
  readonly density: number
  readonly axes: LinearAxes
}

/**
 * Something drawn over or under a series, layer by layer, while anything is in view. `autoscaleInfo`: the prices that it
 * asks room for between two candle indices.
 */
export function panePrimitive(
  layers: Partial<Record<PrimitivePaneViewZOrder, (pane: Pane) => void>>,
  autoscaleInfo: (from: Logical, to: Logical) => AutoscaleInfo | null = () => null,
) {
  let attached: SeriesAttachedParameter<Time> | null = null
  const views = Object.entries(layers).map(([zOrder, draw]) => ({
    zOrder: () => zOrder as PrimitivePaneViewZOrder,
    renderer: () => ({
      draw(target) {
        const axes = attached === null ? null : linearAxes(attached)
        if (axes === null) return
        let density = 1
        // biome-ignore lint/correctness/useHookAtTopLevel: a method of the chart library's canvas, no React hook
        target.useBitmapCoordinateSpace(({ horizontalPixelRatio }) => {
          density = horizontalPixelRatio
        })
        // biome-ignore lint/correctness/useHookAtTopLevel: a method of the chart library's canvas, no React hook
        target.useMediaCoordinateSpace(({ context, mediaSize }) => draw({ context, ...mediaSize, density, axes }))
      },
    }),
  })) satisfies ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>
  return {
    attached(param: SeriesAttachedParameter<Time>): void {
      attached = param
    },
    detached(): void {
      attached = null
    },
    paneViews: () => views,
    autoscaleInfo,
    drawAgain: () => attached?.requestUpdate(),
  } satisfies ISeriesPrimitive<Time> & { drawAgain(): void }
}

/** Two points of each axis give all others without asking the library again; null while nothing is in view. */
function linearAxes({ chart, series }: SeriesAttachedParameter<Time>): LinearAxes | null {
  const scale = chart.timeScale()
  const range = scale.getVisibleLogicalRange()
  if (range === null) return null
  const [x0, x1] = [scale.logicalToCoordinate(0 as Logical), scale.logicalToCoordinate(1 as Logical)]
  const [y0, y1] = [series.priceToCoordinate(0), series.priceToCoordinate(1e6)]
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

/** A straight line, in the stroke and dash of now. */
export function drawLine(context: CanvasRenderingContext2D, fromX: number, fromY: number, toX: number, toY: number) {
  context.beginPath()
  context.moveTo(fromX, fromY)
  context.lineTo(toX, toY)
  context.stroke()
}
