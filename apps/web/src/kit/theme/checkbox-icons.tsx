import type { ReactNode } from 'react'
import { colors } from './tokens.ts'

const Box = ({ fill, edge = fill, children }: { fill: string; edge?: string; children?: ReactNode }) => (
  <svg width={16} height={16} viewBox="0 0 16 16" fill="none" aria-hidden>
    <rect x=".75" y=".75" width="14.5" height="14.5" rx="3.5" fill={fill} stroke={edge} strokeWidth="1.5" />
    {children}
  </svg>
)

export const UntickedBox = () => <Box fill={colors.inset} edge={colors.fieldHover} />

export const TickedBox = () => (
  <Box fill={colors.accent}>
    <path d="M4.2 8.3 6.9 11l5-5.6" stroke={colors.onAccent} strokeWidth="2" strokeLinecap="round" />
  </Box>
)

/** Ticked for good: nobody can untick it. */
export const LockedBox = () => (
  <Box fill={colors.selected} edge={colors.fieldHover}>
    <rect x="4.5" y="7.25" width="7" height="5" rx="1" stroke={colors.text2} />
    <path d="M6 7.25V5.5a2 2 0 0 1 4 0v1.75" stroke={colors.text2} />
  </Box>
)
