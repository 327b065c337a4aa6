import { Box, Typography } from '@mui/material'
import type { ChainHead, SealedPrediction } from '@shapecast/contracts/track-record'
import { Check, X } from 'lucide-react'
import { formatPrice } from '../../shared/format/money.ts'
import { formatCounted } from '../../shared/format/number.ts'
import { formatShareRatio } from '../../shared/format/percent.ts'
import { formatExactTime, formatTableTime } from '../../shared/format/time.ts'
import { ZONE_WORDS } from '../../shared/format/time-zone.ts'
import { colors } from '../../shared/theme/tokens.ts'
import { Card } from '../../shared/ui/card.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { SignalChip } from '../../shared/ui/trading-chips.tsx'

const SHOWN_HASH = 10

function Outcome({ outcome }: { outcome: SealedPrediction['outcome'] }) {
  if (outcome === null) return <span>not known yet</span>
  const word = outcome.correct === null ? 'unmoved' : outcome.correct ? 'right' : 'wrong'
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75 }}>
      {outcome.correct === true && <Check size={14} color={colors.text} aria-hidden />}
      {outcome.correct === false && <X size={14} color={colors.text3} aria-hidden />}
      {word}
    </Box>
  )
}

const COLUMNS: readonly Column<SealedPrediction>[] = [
  { id: 'time', head: `Candle, ${ZONE_WORDS}`, cell: (row) => formatTableTime(row.timestamp), keep: true, whole: true },
  { id: 'series', head: 'Series', cell: (row) => `${row.symbol} ${row.timeframe}` },
  { id: 'signal', head: 'Signal', cell: (row) => <SignalChip signal={row.signal} />, keep: true },
  { id: 'up', head: 'P(up)', cell: (row) => formatShareRatio(row.pUp), figure: true },
  { id: 'price', head: 'Price', cell: (row) => formatPrice(row.current_price), figure: true },
  { id: 'then', head: 'Price then', cell: (row) => formatPrice(row.outcome?.price), figure: true },
  { id: 'outcome', head: 'Outcome', cell: (row) => <Outcome outcome={row.outcome} />, keep: true },
  {
    id: 'made',
    head: 'Sealed',
    cell: (row) => <span title={formatExactTime(row.madeAt)}>{formatTableTime(row.madeAt)}</span>,
    quiet: true,
  },
  {
    id: 'hash',
    head: 'Row hash',
    cell: (row) => <span title={row.rowHash}>{row.rowHash.slice(0, SHOWN_HASH)}…</span>,
    quiet: true,
  },
]

/** The newest sealed predictions and what came of them, with where the chain stands. */
export function SealedCard({
  rows,
  head,
  nextSeal,
}: {
  rows: readonly SealedPrediction[]
  head: ChainHead
  /** When the next one is sealed, in a sentence. */
  nextSeal: string
}) {
  return (
    <Card title="Sealed predictions" facts="the newest; written before their outcome could be known" flush>
      {rows.length === 0 ? (
        <EmptyLine>Nothing is sealed yet. {nextSeal}</EmptyLine>
      ) : (
        <DataTable
          label="Sealed predictions"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.seq}
          rowName={(row) => `the prediction of ${formatTableTime(row.timestamp)}`}
        />
      )}
      {head.rows > 0 && (
        <Typography variant="label" component="p" sx={noteStyle}>
          {rows.length > 0 && `${nextSeal} `}The chain has {formatCounted(head.rows, 'row')} and ends in {head.hash}.
          Keep this line: shapecast verify-record recomputes it, and finds any row that was deleted or edited.
        </Typography>
      )}
    </Card>
  )
}

const noteStyle = {
  m: 0,
  px: 2,
  py: 1.5,
  color: colors.text3,
  fontWeight: 400,
  overflowWrap: 'anywhere',
  borderTop: `1px solid ${colors.divider}`,
} as const
