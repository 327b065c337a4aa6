import { Box, Typography } from '@mui/material'
import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { TextField } from '#kit/ui/text-field.tsx'

/** Takes the words that a person writes before real money moves. */
export const RealMoneyWordsField = ({ value, onChange }: { value: string; onChange: (words: string) => void }) => (
  <TextField
    label={`Type ‘${REAL_MONEY_WORDS}’`}
    autoComplete="off"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const areRealMoneyWords = (typed: string): boolean => typed.trim().toLowerCase() === REAL_MONEY_WORDS

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
