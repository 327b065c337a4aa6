const COLORS = [
  'bg',
  'surface',
  'well',
  'inset',
  'raised',
  'hairline',
  'divider',
  'field',
  'fieldHover',
  'button',
  'buttonEdge',
  'selected',
  'rowHover',
  'skeleton',
  'text',
  'text2',
  'text3',
  'accent',
  'accentHi',
  'onAccent',
  'up',
  'down',
  'warn',
  'orange',
  'sand',
] as const
const CHART_COLORS = [
  'grid',
  'candleUp',
  'candleDown',
  'emaFast',
  'emaSlow',
  'band',
  'lastCandle',
  'crosshair',
  'crosshairLabel',
  'initialBalance',
  'priceTag',
  'tagText',
  'predictionTag',
] as const

/** The variable of tokens.css: `fieldHover` is `var(--field-hover)`. */
const variable = (name: string) => `var(--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)})`
const variables = <Name extends string>(names: readonly Name[], prefix = '') =>
  Object.fromEntries(names.map((name) => [name, variable(prefix + name)])) as Readonly<Record<Name, string>>

/** Every colour of the product. Components read these, never a raw value; canvases take them through `painted`. */
export const colors = variables(COLORS)

export const chartColors = {
  ...variables(CHART_COLORS, 'chart-'),
  text: colors.text3,
  lstm: colors.accent,
  transformer: colors.sand,
  equity: colors.text,
}

/** A colour at `alpha`, a ratio or a variable in percent, over whatever lies below. */
export const tint = (color: string, alpha: number | string): string =>
  `color-mix(in srgb, ${color} ${typeof alpha === 'number' ? `${Number((alpha * 100).toFixed(4))}%` : alpha}, transparent)`

export const TINT = {
  colour: 'var(--tint-colour)',
  accent: 'var(--tint-accent)',
  neutral: 'var(--tint-neutral)',
} as const
export const floatingShadow = 'var(--floating-shadow)'
export const backdrop = 'var(--backdrop)'
export const radius = { chip: 6, button: 8, card: 10, dialog: 12, float: 16 } as const
export const motion = { hover: 120, menu: 180, dialog: 240, easing: 'cubic-bezier(.2,0,0,1)' } as const

export const FONT_FAMILY = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif"

/** One row of the type scale: size and line in px, weight. */
const type = (sizePx: number, linePx: number, fontWeight: number) => ({
  fontSize: `${sizePx / 16}rem`,
  lineHeight: `${linePx}px`,
  fontWeight,
  letterSpacing: 'normal',
  textTransform: 'none' as const,
})

/** What of the type scale MUI's parts need; the rest is in text.module.css. */
export const typeScale = {
  body: type(14, 20, 400),
  bodyStrong: type(14, 20, 500),
  small: type(13, 18, 400),
  label: type(12, 16, 500),
} as const

/** What a finger needs, px: WCAG 2.5.5. */
export const TOUCH_PX = 44
export const coarsePointer = '@media (pointer: coarse)'

/** A finger gets 44 by 44 px around the middle of a box that is smaller. The box itself is to be positioned. */
export const touchArea = {
  [coarsePointer]: {
    '&::after': {
      content: '""',
      position: 'absolute',
      top: '50%',
      left: '50%',
      width: `max(100%, ${TOUCH_PX}px)`,
      height: `max(100%, ${TOUCH_PX}px)`,
      translate: '-50% -50%',
    },
  },
} as const
