import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { leaderboard } from '@shapecast/contracts/track-record'
import { Link as RouterLink } from 'react-router'
import { StageChip } from '#entities/markets/trading-chips.tsx'
import { shareWords, skillWords } from '#entities/models/interval-words.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { Link } from '#kit/ui/link.tsx'
import { ListSkeleton } from '#kit/ui/skeleton.tsx'
import { Note } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { recordVerdict, spanWords, VerdictChip } from './record-verdict.tsx'

type Entry = ReplyOf<typeof leaderboard>['entries'][number]

const COLUMNS: readonly Column<Entry & { place: number }>[] = [
  { id: 'place', head: '#', cell: (row) => row.place, quiet: true },
  {
    id: 'version',
    head: 'Version',
    cell: (row) => (
      <span className={layout.longName}>
        <Link as={RouterLink} to={paths.record(row.version)} className={layout.touchAlone} style={{ fontWeight: 500 }}>
          {row.version}
        </Link>
      </span>
    ),
    keep: true,
  },
  { id: 'stage', head: 'Stage', cell: (row) => <StageChip stage={row.stage} /> },
  {
    id: 'accuracy',
    head: 'Right direction, 95% interval',
    cell: ({ scores }) => shareWords(scores.accuracy, scores.interval),
    figure: true,
    keep: true,
  },
  {
    id: 'rule',
    head: 'Best simple rule',
    cell: ({ scores: { majorityBaseline, reversalBaseline } }) =>
      formatShareRatio(
        majorityBaseline === null || reversalBaseline === null ? null : Math.max(majorityBaseline, reversalBaseline),
      ),
    figure: true,
  },
  { id: 'verdict', head: 'Verdict', cell: ({ scores }) => <VerdictChip verdict={recordVerdict(scores)} /> },
  { id: 'outcomes', head: 'Judged', cell: ({ scores }) => formatCount(scores.outcomes), figure: true },
  {
    id: 'skill',
    head: 'Skill, 95% interval',
    cell: ({ scores }) => skillWords(scores.brierSkill, scores.brierSkillInterval),
    figure: true,
  },
  { id: 'span', head: 'Written down', cell: ({ span }) => spanWords(span), figure: true },
]

/** Versions by live skill over knowing nothing; the lower end of the interval decides. */
export function LeaderboardCard() {
  const reply = useEndpointQuery(leaderboard, {}, { refetchInterval: REFRESH_MS })
  const entries = reply.data?.entries.map((entry, i) => ({ ...entry, place: i + 1 })) ?? []
  return (
    <Card title="Leaderboard" facts="all versions, by what they said before it happened" flush>
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
          No forecast is written down yet. A version in production or staging leaves one at every candle close.
        </EmptyLine>
      )}
      <QueryBoundary reply={reply} title="The leaderboard could not be loaded" inset>
        <ListSkeleton label="Loading the leaderboard" rowHeightPx={20} rows={3} />
      </QueryBoundary>
      {entries.length > 0 && (
        <Note as="p" style={{ padding: '12px 16px' }}>
          The order goes by the cautious end of the skill: how much more the percentages of a version were worth than
          knowing nothing. An interval that reaches below 0 may be luck.
        </Note>
      )}
    </Card>
  )
}
