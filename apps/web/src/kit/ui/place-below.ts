/**
 * Puts what floats over the page right below its anchor, above it where it fits only there, and inside the window.
 * `atEnd`: it ends where its anchor ends.
 */
export function placeBelow(
  floating: HTMLElement,
  anchor: Element,
  { gapPx, edgePx, atEnd = false }: { gapPx: number; edgePx: number; atEnd?: boolean },
): void {
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = floating
  const farthest = window.innerWidth - width - edgePx
  const lowest = window.innerHeight - height - edgePx
  const below = bottom + gapPx
  const above = top - gapPx - height
  floating.style.left = `${Math.max(edgePx, Math.min(atEnd ? right - width : left, farthest))}px`
  floating.style.top = `${below <= lowest ? below : above >= edgePx ? above : Math.max(edgePx, lowest)}px`
}
