import type { darkChartColors, darkColors } from './dark-tokens.ts'

/** The light theme, whole: LOOK's second table. */
export const lightColors: Record<keyof typeof darkColors, string> = {
  bg: '#F3F5F8',
  surface: '#FFFFFF',
  well: '#F7F9FB',
  inset: '#FFFFFF',
  raised: '#FFFFFF',
  hairline: '#DDE3EB',
  divider: '#E8ECF1',
  field: '#A9B4C3',
  fieldHover: '#7F8B9D',
  button: '#FFFFFF',
  buttonEdge: '#CDD5DF',
  selected: '#E3E8EF',
  rowHover: '#F3F6FA',
  skeleton: '#E9EDF2',
  text: '#141B26',
  text2: '#465268',
  text3: '#5F6B7E',
  accent: '#1666C5',
  accentHi: '#0E4F9E',
  onAccent: '#FFFFFF',
  up: '#0A7449',
  down: '#C0253A',
  warn: '#845400',
  orange: '#9E4A12',
  sand: '#8A6A1F',
}

export const lightChartColors: Record<keyof typeof darkChartColors, string> = {
  grid: '#EEF1F5',
  candleUp: '#1C9A6D',
  candleDown: '#D6455A',
  emaFast: '#3D495C',
  emaSlow: '#7F8B9D',
  band: '#8C9CB8',
  lastCandle: '#8E9AAC',
  crosshair: '#7F8B9D',
  crosshairLabel: '#465268',
  initialBalance: '#8E9AAC',
  priceTag: '#465268',
  tagText: '#FFFFFF',
  predictionTag: '#DCE9F8',
}

export const lightShadow = '0 16px 48px rgba(20, 27, 38, .18)'
export const lightBackdrop = 'rgba(20, 27, 38, .45)'
export const lightTint = { colour: 0.1, accent: 0.12, neutral: 0.1 }
