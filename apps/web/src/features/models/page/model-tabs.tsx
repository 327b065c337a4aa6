import { Box, Tab, Tabs } from '@mui/material'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'

export interface ModelTab {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

/** The evidence behind the verdict, one subject at a time; which one stands in the address. */
export function ModelTabs({ tabs }: { tabs: readonly ModelTab[] }) {
  const [search, setSearch] = useSearchParams()
  const shown = tabs.find(({ id }) => id === search.get('tab')) ?? tabs[0]
  if (shown === undefined) return null
  return (
    <Box sx={{ minWidth: 0 }}>
      <Tabs
        value={shown.id}
        aria-label="Evidence"
        variant="scrollable"
        scrollButtons={false}
        onChange={(_, id: string) =>
          setSearch(
            (before) => {
              const next = new URLSearchParams(before)
              next.set('tab', id)
              return next
            },
            { replace: true },
          )
        }
        sx={{ minHeight: 44, borderBottom: 1, borderColor: 'divider', '& .MuiTab-root': tabStyle }}
      >
        {tabs.map(({ id, label }) => (
          <Tab key={id} value={id} label={label} id={`tab-${id}`} aria-controls={`panel-${id}`} />
        ))}
      </Tabs>
      <Box
        role="tabpanel"
        id={`panel-${shown.id}`}
        aria-labelledby={`tab-${shown.id}`}
        sx={{ pt: 2, display: 'grid', gap: { xs: 1.5, md: 2 }, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {shown.content}
      </Box>
    </Box>
  )
}

const tabStyle = {
  minHeight: 46,
  minWidth: 0,
  px: 0,
  mr: 3,
  textTransform: 'none',
  typography: 'body1',
  fontWeight: 500,
} as const
