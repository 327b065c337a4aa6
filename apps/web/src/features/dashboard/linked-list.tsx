import { Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'

export interface LinkedRow {
  readonly id: string
  readonly to: string
  readonly title: string
  /** A quiet line below the title. */
  readonly facts?: string
  readonly chip: ReactNode
}

export interface LinkedListProps {
  title: string
  facts?: string
  /** Where all of them are. */
  allTo: string
  /** Undefined while they are on their way. */
  rows: readonly LinkedRow[] | undefined
  /** In the place of the rows where there are none. */
  empty: string
  /** What will stand here, and how. */
  emptyHint?: string
  emptyAction?: ReactNode
}

/** A card of the newest few of something, each row a link to it. */
export function LinkedList({ title, facts, allTo, rows, empty, emptyHint, emptyAction }: LinkedListProps) {
  return (
    <Card
      title={title}
      facts={facts}
      flush
      actions={
        <Box sx={{ mr: -1 }}>
          <LinkButton to={allTo} variant="text" size="small">
            View all
          </LinkButton>
        </Box>
      }
    >
      {rows === undefined ? (
        <ListSkeleton label={`Loading: ${title}`} rowHeightPx={32} rows={3} />
      ) : rows.length === 0 ? (
        <Box sx={{ px: 2, py: 2.5 }}>
          <Typography sx={{ fontWeight: 500 }}>{empty}</Typography>
          {emptyHint !== undefined && (
            <Typography variant="small" sx={{ mt: 0.5, color: colors.text2 }}>
              {emptyHint}
            </Typography>
          )}
          {emptyAction !== undefined && <Box sx={{ mt: 2 }}>{emptyAction}</Box>}
        </Box>
      ) : (
        <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {rows.map(({ id, to, title: name, facts: line, chip }) => (
            <Box component="li" key={id} sx={{ '& + &': { borderTop: `1px solid ${colors.divider}` } }}>
              <Box component={Link} to={to} sx={rowStyle}>
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <Typography component="div" noWrap sx={{ fontWeight: line === undefined ? 400 : 500 }}>
                    {name}
                  </Typography>
                  {line !== undefined && (
                    <Typography component="div" variant="label" noWrap sx={{ color: colors.text2, fontWeight: 400 }}>
                      {line}
                    </Typography>
                  )}
                </Box>
                {chip}
              </Box>
            </Box>
          ))}
        </Box>
      )}
    </Card>
  )
}

const rowStyle = {
  display: 'flex',
  alignItems: 'center',
  gap: 1.5,
  px: 2,
  minHeight: 47,
  color: colors.text,
  textDecoration: 'none',
  '&:hover': { backgroundColor: colors.rowHover },
  '&:focus-visible': { outlineOffset: '-2px !important' },
} as const
