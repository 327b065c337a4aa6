import { colors } from './tokens.ts'

/** Page-wide rules. Figures line up, keyboard focus is always seen, and motion stops where it is unwanted. */
export const globalStyles = {
  html: { WebkitTextSizeAdjust: '100%' },
  body: {
    backgroundColor: colors.bg,
    fontOpticalSizing: 'auto',
    WebkitFontSmoothing: 'antialiased',
    MozOsxFontSmoothing: 'grayscale',
    textRendering: 'optimizeLegibility',
    scrollbarColor: `${colors.buttonEdge} transparent`,
  },
  '#root': { minHeight: '100dvh', display: 'flex', flexDirection: 'column' },
  // Where figures stand below each other. In prose the font's tabular hyphens would tear words apart.
  'td, dd, input, time, output, text': { fontVariantNumeric: 'tabular-nums' },
  // Browsers give buttons a font of their own.
  button: { fontFamily: 'inherit' },
  '::selection': { backgroundColor: colors.accent, color: colors.onAccent },
  // A dialog takes the focus when it opens; what is in it shows its own.
  '[role=dialog]:focus-visible': { outline: 'none !important' },
  'a:focus-visible, [tabindex]:focus-visible, summary:focus-visible': {
    outline: `2px solid ${colors.accentHi}`,
    outlineOffset: '2px',
  },
  // Only of what has no corners of its own.
  ':where(:is(a, [tabindex], summary):focus-visible)': { borderRadius: '4px' },
  '@media (prefers-reduced-motion: reduce)': {
    '*, *::before, *::after': {
      animationDuration: '0.01ms !important',
      animationIterationCount: '1 !important',
      transitionDuration: '0.01ms !important',
      scrollBehavior: 'auto !important' as 'auto',
    },
  },
} as const
