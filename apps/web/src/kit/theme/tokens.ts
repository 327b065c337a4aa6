import { darkBackdrop, darkChartColors, darkColors, darkShadow, darkTint } from './dark-tokens.ts'
import { lightBackdrop, lightChartColors, lightColors, lightShadow, lightTint } from './light-tokens.ts'
import { scheme } from './scheme.ts'

export type Colors = Readonly<Record<keyof typeof darkColors, string>>

const isLight = scheme === 'light'

/** Every colour of the product. Components and charts read these, never a raw value. */
export const colors: Colors = isLight ? lightColors : darkColors

export const chartColors = {
  ...(isLight ? lightChartColors : darkChartColors),
  text: colors.text3,
  lstm: colors.accent,
  transformer: colors.sand,
  equity: colors.text,
}

/** A colour at `alpha` (0–1) over whatever lies below. */
export function tint(hex: string, alpha: number): string {
  const value = Number.parseInt(hex.slice(1), 16)
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`
}

export const TINT = isLight ? lightTint : darkTint
export const floatingShadow = isLight ? lightShadow : darkShadow
export const backdrop = isLight ? lightBackdrop : darkBackdrop
export const radius = { chip: 6, button: 8, card: 10, dialog: 12, float: 16 } as const
export const motion = { hover: 120, menu: 180, dialog: 240, easing: 'cubic-bezier(.2,0,0,1)' } as const
