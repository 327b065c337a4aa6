export const FONT_FAMILY = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif"

/** One row of the type scale: size and line in px, weight, tracking in em. */
const type = (sizePx: number, linePx: number, fontWeight: number, trackingEm = 0) => ({
  fontSize: `${sizePx / 16}rem`,
  lineHeight: `${linePx}px`,
  fontWeight,
  letterSpacing: trackingEm === 0 ? 'normal' : `${trackingEm}em`,
  textTransform: 'none' as const,
})

/** What of the type scale MUI's parts need; the rest is in text.module.css. */
export const typeScale = {
  h1: type(20, 28, 600, -0.018),
  h2: type(14, 20, 600),
  h3: type(16, 24, 600, -0.012),
  body: type(14, 20, 400),
  bodyStrong: type(14, 20, 500),
  small: type(13, 18, 400),
  label: type(12, 16, 500),
} as const
