import type { AutoscaleInfo, Logical } from 'lightweight-charts'
import { type DrawTarget, drawOnDevice } from '../primitives/draw-target.ts'
import { PanePrimitive } from '../primitives/pane-primitive.ts'
import { drawCandles } from './layers/draw-candles.ts'
import { drawForecasts } from './layers/draw-forecasts.ts'
import { drawFan, drawFutureEdge, drawFutureZone } from './layers/draw-future.ts'
import { createSignalLayer, SIGNAL_MARGIN_PX } from './layers/draw-signals.ts'
import { drawValueLine } from './layers/draw-value-line.ts'
import { drawVolume } from './layers/draw-volume.ts'
import { LINE_LOOKS } from './layers/price-line-looks.ts'
import { priceExtent } from './price-extent.ts'
import type { PriceCanvas, PriceScene } from './price-scene.ts'

/**
 * Draws the whole chart in one pass over its columns and says which prices have to be in view. The series that it is
 * attached to has one point a candle and draws nothing itself.
 */
export class PriceLayersPrimitive extends PanePrimitive {
  readonly #sceneOf: () => PriceScene
  readonly #drawSignals = createSignalLayer()

  constructor(sceneOf: () => PriceScene) {
    super({ normal: (target) => this.#draw(target) })
    this.#sceneOf = sceneOf
  }

  autoscaleInfo(from: Logical, to: Logical): AutoscaleInfo | null {
    const scene = this.#sceneOf()
    const extent = priceExtent(scene, from, to)
    if (extent === null) return null
    // Kept where no mark is in view just now, so that the prices do not jump when one comes in.
    const marginPx = (scene.predictions?.signals.length ?? 0) > 0 ? SIGNAL_MARGIN_PX : 0
    return {
      priceRange: { minValue: extent.min, maxValue: extent.max },
      margins: { above: marginPx, below: marginPx },
    }
  }

  #draw(target: DrawTarget): void {
    const attached = this.attachment
    const scene = this.#sceneOf()
    const { count, close } = scene.model
    const range = attached?.chart.timeScale().getVisibleLogicalRange()
    if (attached === null || range === null || range === undefined || count === 0) return
    const scale = attached.chart.timeScale()
    // Both axes are linear: two points of each give all others without asking the library again.
    const x0 = scale.logicalToCoordinate(0 as Logical)
    const x1 = scale.logicalToCoordinate(1 as Logical)
    const reference = close[count - 1]!
    const y0 = attached.series.priceToCoordinate(0)
    const y1 = attached.series.priceToCoordinate(reference)
    if (x0 === null || x1 === null || y0 === null || y1 === null || reference === 0) return
    const spacingPx = x1 - x0
    const pxOfPrice = (y1 - y0) / reference
    drawOnDevice(target, ({ context, mediaSize }, ratio) => {
      const canvas: PriceCanvas = {
        context,
        scene,
        widthPx: mediaSize.width,
        heightPx: mediaSize.height,
        x: (index) => x0 + index * spacingPx,
        y: (price) => y0 + price * pxOfPrice,
        spacingPx,
        from: Math.max(0, Math.floor(range.from)),
        to: Math.min(count - 1, Math.ceil(range.to)),
        snapX: (px) => Math.round(px * ratio.horizontal) / ratio.horizontal,
        snapY: (px) => Math.round(px * ratio.vertical) / ratio.vertical,
        hairPx: 1 / ratio.horizontal,
      }
      drawFutureZone(canvas)
      drawVolume(canvas)
      if (scene.showEma) {
        drawValueLine(canvas, scene.model.emaSlow, LINE_LOOKS.emaSlow)
        drawValueLine(canvas, scene.model.emaFast, LINE_LOOKS.emaFast)
      }
      if (scene.type === 'candles') drawCandles(canvas)
      else drawValueLine(canvas, scene.model.close, LINE_LOOKS.close)
      if (scene.predictions !== null) {
        drawForecasts(canvas, scene.predictions.transformer, LINE_LOOKS.transformer)
        drawForecasts(canvas, scene.predictions.lstm, LINE_LOOKS.lstm)
      }
      this.#drawSignals(canvas)
      drawFan(canvas)
      drawFutureEdge(canvas)
    })
  }
}
