import { Card as MuiCard } from '@mui/material'
import type { ReactNode } from 'react'
import css from './status-card.module.css'
import { Note, Text } from './text.tsx'

/** One figure at the top of a page: label, number, one line of evidence. 100 px high. */
export function StatusCard({
  label,
  value,
  evidence,
  aside,
  isRow = false,
}: {
  label: string
  value: ReactNode
  evidence?: ReactNode
  /** Stands at the right where there is room. */
  aside?: ReactNode
  /** On a phone the number stands at the right of the words. */
  isRow?: boolean
}) {
  return (
    <MuiCard
      sx={{
        position: 'relative',
        p: { xs: 1.5, sm: 2 },
        minHeight: 100,
        display: 'flex',
        flexDirection: 'column',
        rowGap: { xs: 1, sm: 0.5 },
        ...(isRow && rowStyle),
      }}
    >
      <Text size="label" tone="text2">
        {label}
      </Text>
      <Text as="div" size="numberM" className={css.value}>
        {value}
      </Text>
      <Note tone="text2" className={css.evidence}>
        {evidence}
      </Note>
      {aside && <div className={css.aside}>{aside}</div>}
    </MuiCard>
  )
}

const rowStyle = {
  rowGap: { xs: 0, sm: 0.5 },
  minHeight: { xs: 0, sm: 100 },
  display: { xs: 'grid', sm: 'flex' },
  gridTemplateColumns: '1fr auto',
  alignItems: { xs: 'center', sm: 'stretch' },
  '& > div:first-of-type': { gridArea: '1 / 2 / 3 / 3' },
} as const
