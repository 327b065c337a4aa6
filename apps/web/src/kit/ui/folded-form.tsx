import { Box, ButtonBase, Card, Typography } from '@mui/material'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from '../theme/tokens.ts'

/** A form in one line while what came of it is what counts: its name, what it is set to, and its main button. */
export function FoldedForm({
  title,
  note,
  isWarned = false,
  onUnfold,
  children,
}: {
  title: string
  note?: string | undefined
  /** The note is a caution: amber. */
  isWarned?: boolean
  onUnfold: () => void
  children?: ReactNode
}) {
  return (
    <Card component="section" aria-label={title} sx={{ p: 0.75 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <ButtonBase aria-expanded={false} onClick={onUnfold} sx={buttonStyle}>
          <ChevronRight size={16} aria-hidden />
          <Box component="span" sx={{ display: 'block', minWidth: 0 }}>
            <Typography component="span" variant="h2" sx={{ display: 'block' }}>
              {title}
            </Typography>
            {note !== undefined && (
              <Typography
                component="span"
                variant="label"
                sx={{ display: 'block', fontWeight: 400, color: isWarned ? colors.warn : colors.text2 }}
              >
                {note}
              </Typography>
            )}
          </Box>
        </ButtonBase>
        {children}
      </Box>
    </Card>
  )
}

const buttonStyle = {
  flex: 1,
  minWidth: 0,
  minHeight: 44,
  px: 1.25,
  gap: 1.25,
  justifyContent: 'flex-start',
  textAlign: 'left',
  borderRadius: 1,
} as const
