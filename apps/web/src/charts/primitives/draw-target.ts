import type { IPrimitivePaneRenderer } from 'lightweight-charts'

/** The canvas that the chart library hands to a renderer. */
export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0]

type Scope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0]

/** Draws in CSS pixels, whatever the screen's density. */
export function drawInPixels(target: DrawTarget, draw: (scope: Scope) => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of the chart library's canvas, no React hook
  target.useMediaCoordinateSpace(draw)
}
