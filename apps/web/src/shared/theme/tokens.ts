/** Every colour of the product. Components and charts read these, never a raw value. */
export const colors = {
  bg: '#0B0E14',
  surface: '#11151D',
  well: '#0E1219',
  inset: '#0D1118',
  raised: '#191F2A',
  hairline: '#1F2734',
  divider: '#1A212C',
  field: '#3A4559',
  fieldHover: '#5A6880',
  button: '#1D2430',
  buttonEdge: '#2A3342',
  rowHover: '#161C27',
  skeleton: '#1A212D',
  text: '#E7EBF3',
  text2: '#A3AEC0',
  text3: '#8390A5',
  accent: '#6FB7FF',
  accentHi: '#9BCFFF',
  onAccent: '#06121F',
  up: '#35C28E',
  down: '#F5737E',
  warn: '#EFB550',
  orange: '#F0975A',
  sand: '#E3D2AE',
} as const

export const chartColors = {
  text: colors.text3,
  grid: '#171D28',
  candleUp: '#2FAE81',
  candleDown: '#E05E6A',
  emaFast: '#B7C1D1',
  emaSlow: '#7C899E',
  lstm: colors.accent,
  transformer: colors.sand,
  lastCandle: '#6B788D',
  crosshair: '#5A6880',
  crosshairLabel: '#2A3342',
  equity: colors.text,
  initialBalance: '#6B788D',
  priceTag: '#465368',
  predictionTag: '#1E3A59',
} as const

/** A colour at `alpha` (0–1) over whatever lies below. */
export function tint(hex: string, alpha: number): string {
  const value = Number.parseInt(hex.slice(1), 16)
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`
}

export const TINT = { colour: 0.13, accent: 0.14, neutral: 0.11 } as const
export const radius = { chip: 6, button: 8, card: 10, dialog: 12, float: 16 } as const
export const motion = { hover: 120, menu: 180, dialog: 240, easing: 'cubic-bezier(.2,0,0,1)' } as const
