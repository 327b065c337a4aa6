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
