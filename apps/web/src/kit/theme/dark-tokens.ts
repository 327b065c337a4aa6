export const darkColors = {
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
  selected: '#2A3342',
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

export const darkChartColors = {
  grid: '#171D28',
  candleUp: '#2FAE81',
  candleDown: '#E05E6A',
  emaFast: '#B7C1D1',
  emaSlow: '#7C899E',
  band: '#5A6B8C',
  lastCandle: '#6B788D',
  crosshair: '#5A6880',
  crosshairLabel: '#2A3342',
  initialBalance: '#6B788D',
  priceTag: '#465368',
  tagText: '#E7EBF3',
  predictionTag: '#1E3A59',
} as const

export const darkShadow = '0 16px 48px rgba(0, 0, 0, .5)'
export const darkBackdrop = 'rgba(11, 14, 20, .72)'
export const darkTint = { colour: 0.13, accent: 0.14, neutral: 0.11 } as const
