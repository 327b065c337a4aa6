import type { IPrimitivePaneRenderer } from 'lightweight-charts'

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
