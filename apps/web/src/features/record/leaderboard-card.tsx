import { Box, Link, Typography } from '@mui/material'
import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { leaderboard } from '@shapecast/contracts/track-record'
import { Link as RouterLink } from 'react-router'
import { useRefreshMs } from '../../shared/api/refresh.ts'
import { useEndpointQuery } from '../../shared/api/use-endpoint.ts'
import { linkTo } from '../../shared/data-center/view.ts'
import { shareWords, skillWords } from '../../shared/format/interval-words.ts'
import { formatCount, formatFixed } from '../../shared/format/number.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { touchAlone } from '../../shared/theme/touch.ts'
import { Awaited } from '../../shared/ui/awaited.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { ListSkeleton } from '../../shared/ui/list-skeleton.tsx'
import { longName } from '../../shared/ui/long-name.ts'
import { StageChip } from '../../shared/ui/trading-chips.tsx'
import { spanWords } from './span-words.ts'

type Entry = ReplyOf<typeof leaderboard>['entries'][number]

const COLUMNS: readonly Column<Entry & { place: number }>[] = [
  { id: 'place', head: '#', cell: (row) => row.place, quiet: true },
  {
    id: 'version',
    head: 'Version',
    cell: (row) => (
      <Box component="span" sx={longName}>
        <Link
          component={RouterLink}
          to={linkTo({ kind: 'record', version: row.version })}
          sx={{ ...touchAlone, fontWeight: 500 }}
        >
          {row.version}
        </Link>
      </Box>
    ),
    keep: true,
  },
  { id: 'stage', head: 'Stage', cell: (row) => <StageChip stage={row.stage} /> },
  {
    id: 'skill',
    head: 'Brier skill, 95% interval',
    cell: ({ scores }) => skillWords(scores.brierSkill, scores.brierSkillInterval),
    figure: true,
    keep: true,
  },
  {
    id: 'accuracy',
    head: 'Live accuracy, 95% interval',
    cell: ({ scores }) => shareWords(scores.accuracy, scores.interval),
    figure: true,
  },
  { id: 'brier', head: 'Brier', cell: ({ scores }) => formatFixed(scores.brier, 4), figure: true },
  { id: 'outcomes', head: 'Outcomes', cell: ({ scores }) => formatCount(scores.outcomes), figure: true },
  { id: 'span', head: 'Sealed', cell: ({ span }) => spanWords(span), figure: true },
]

/** Versions by live skill over knowing nothing; the lower end of the interval decides. */
export function LeaderboardCard() {
  const reply = useEndpointQuery(leaderboard, {}, { refetchInterval: useRefreshMs() })
  const entries = reply.data?.entries.map((entry, i) => ({ ...entry, place: i + 1 })) ?? []
  return (
    <Card title="Leaderboard" facts="ranked by live forecasts; the cautious end of the 95% interval counts" flush>
      {entries.length > 0 && (
        <DataTable
          label="Leaderboard"
          columns={COLUMNS}
          rows={entries}
          rowKey={(row) => row.version}
          rowName={(row) => row.version}
        />
      )}
      {reply.data?.entries.length === 0 && (
        <EmptyLine>
          No forecast has been written down yet. A trained version leaves one at every candle close.
        </EmptyLine>
      )}
      <Awaited reply={reply} title="The leaderboard could not be loaded" inset>
        <ListSkeleton label="Loading the leaderboard" rowHeightPx={20} rows={3} />
      </Awaited>
      {entries.length > 0 && (
        <Typography variant="label" component="p" sx={noteStyle}>
          Above 0 a version knows something. An interval that reaches below 0 is not told from luck.
        </Typography>
      )}
    </Card>
  )
}

const noteStyle = { m: 0, px: 2, py: 1.5, color: colors.text3, fontWeight: 400 } as const
