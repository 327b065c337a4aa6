import type { ChainHead, SealedPrediction } from '@shapecast/contracts/track-record'
import { Check, X } from 'lucide-react'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { isPoor } from '#entities/models/signal-words.ts'
import { formatPrice } from '#kit/format/money.ts'
import { formatCounted } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatExactTime, formatTableTime, zoneWords } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { useFirstRows } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'

const SHOWN_HASH = 10
const FIRST_SHOWN = 6

function Outcome({ outcome }: { outcome: SealedPrediction['outcome'] }) {
  if (outcome === null) return <span>not known yet</span>
  const word = outcome.correct === null ? 'unmoved' : outcome.correct ? 'right' : 'wrong'
  return (
    <Row as="span" gap={0.75} style={{ display: 'inline-flex' }}>
      {outcome.correct === true && <Check size={14} color={colors.text} aria-hidden />}
      {outcome.correct === false && <X size={14} color={colors.text3} aria-hidden />}
      {word}
    </Row>
  )
}

/** The clocks are those of the chosen time. */
const columns = (): readonly Column<SealedPrediction>[] => [
  { head: `Candle, ${zoneWords()}`, cell: (row) => formatTableTime(row.timestamp), keep: true, whole: true },
  { head: 'Coin', cell: (row) => `${row.symbol} ${row.timeframe}` },
  { head: 'Signal', cell: (row) => <SignalChip signal={row.signal} isQuiet={isPoor(row.verdict)} />, keep: true },
  { head: 'Chance of a rise', cell: (row) => formatShareRatio(row.pUp), figure: true },
  { head: 'Close', cell: (row) => formatPrice(row.current_price), figure: true },
  { head: 'Close then', cell: (row) => formatPrice(row.outcome?.price), figure: true },
  { head: 'Outcome', cell: (row) => <Outcome outcome={row.outcome} />, keep: true },
  {
    head: 'Written down',
    cell: (row) => <span title={formatExactTime(row.madeAt)}>{formatTableTime(row.madeAt)}</span>,
    quiet: true,
  },
  { head: 'Seal', cell: (row) => <span title={row.rowHash}>{row.rowHash.slice(0, SHOWN_HASH)}…</span>, quiet: true },
]

/** The newest sealed predictions and their results, with where the chain stands. */
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
  const { shown, foot } = useFirstRows(rows, FIRST_SHOWN)
  return (
    <Card title="The newest forecasts" facts="as they were written down" flush>
      {rows.length === 0 ? (
        <EmptyLine>Nothing is written down yet. {nextSeal}</EmptyLine>
      ) : (
        <DataTable
          label="The newest forecasts"
          columns={columns()}
          rows={shown}
          rowKey={(row) => row.seq}
          rowName={(row) => `the forecast of ${formatTableTime(row.timestamp)}`}
        />
      )}
      {foot}
      {head.rows > 0 && (
        <Folded title="How can nobody change them?" flush>
          <Text size="small" tone="text2" breaks style={{ maxWidth: 820 }}>
            Each row carries the fingerprint of the one before it, so that a deleted or edited row is found. The chain
            of all versions has {formatCounted(head.rows, 'row')} and ends in {head.hash}. Keep this line: shapecast
            verify-record works it out again.
          </Text>
        </Folded>
      )}
    </Card>
  )
}
