import { Box, Typography } from '@mui/material'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'

export interface Consequence {
  readonly icon: LucideIcon
  readonly text: ReactNode
}

/** What a press will lead to, point by point. */
export const WhatHappens = ({ title, points }: { title: string; points: readonly Consequence[] }) => (
  <Box component="section" aria-label={title}>
    <SmallHead>{title}</SmallHead>
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
      {points.map(({ icon: Icon, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the points of a dialog never change their order
        <Box component="li" key={index} sx={{ display: 'flex', gap: 1.25 }}>
          <Box sx={{ color: colors.text2, display: 'flex', pt: '1px', flexShrink: 0 }}>
            <Icon size={16} />
          </Box>
          <Typography component="span" variant="small" sx={{ color: colors.text2, '& b': boldStyle }}>
            {text}
          </Typography>
        </Box>
      ))}
    </Box>
  </Box>
)

export const SmallHead = ({ children }: { children: ReactNode }) => (
  <Typography variant="label" component="h3" sx={{ m: 0, mb: 1, color: colors.text2 }}>
    {children}
  </Typography>
)

const boldStyle = { color: colors.text, fontWeight: 500 } as const
