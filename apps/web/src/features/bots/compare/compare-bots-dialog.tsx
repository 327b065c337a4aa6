import { type BotEquity, botEquity } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { drawdownPct } from '@shapecast/engine/indicators/drawdown'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { EquityOverlay } from '#charts/equity-overlay.tsx'
import { COMPARED_LOOKS, type LineLook, LinePattern } from '#charts/legend-pattern.tsx'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import { winRatePctOf } from '#entities/bots/bot-summary.ts'
import { returnPctOf } from '#entities/bots/bot-words.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatDate, formatDateTimeYear } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { SkeletonGroup } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { Row, Column as Stack, Text } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { endpointQuery } from '#wire/calls/use-endpoint.ts'

const POINTS = 1000
const DAY_MS = 86_400_000
/** With less in common nobody should choose by it. */
const ENOUGH_DAYS = 90

interface Compared {
  readonly bot: Bot
  readonly look: LineLook
  readonly curve: ComparedCurve
}

/** The same object as long as no reply is new: the chart is drawn from it. */
const combined = (replies: readonly UseQueryResult<BotEquity>[]) => ({
  curves: replies.flatMap(({ data }) => data ?? []),
  error: replies.find(({ error }) => error !== null)?.error ?? null,
})

/** Two to five bots from the same start, in percent: virtual and real money, large and small ones side by side. */
export function CompareBotsDialog({ bots, onClose }: { bots: readonly Bot[]; onClose: () => void }) {
  const { curves, error } = useQueries({
    queries: bots.map(({ id }) => endpointQuery(botEquity, { params: { id }, query: { limit: POINTS } })),
    combine: combined,
  })
  return (
    <Dialog
      title={bots.length < 2 ? 'Compare bots' : `${bots.length} bots compared`}
      subtitle="In percent, from the first close at which all of them had begun"
      widthPx={960}
      onClose={onClose}
      actions={<Button onClick={onClose}>Done</Button>}
    >
      {bots.length < 2 ? (
        <Text tone="text2">There is nothing to compare: choose two to five bots.</Text>
      ) : error !== null ? (
        <Banner kind="error" title={errorText(error, 'The curves could not be loaded')} />
      ) : curves.length < bots.length ? (
        <SkeletonGroup label="Loading the curves" height={360} />
      ) : (
        <Comparison bots={bots} curves={curves} />
      )}
    </Dialog>
  )
}

function Comparison({ bots, curves }: { bots: readonly Bot[]; curves: readonly BotEquity[] }) {
  const found = useMemo(() => comparedCurves(curves), [curves])
  const lines = useMemo(
    () =>
      found.curves.flatMap((curve, i) =>
        curve === null ? [] : [{ name: String(i), ...COMPARED_LOOKS[i]!, points: curve.line }],
      ),
    [found],
  )
  const rows = bots.flatMap((bot, i): Compared[] => {
    const curve = found.curves[i] ?? null
    return curve === null ? [] : [{ bot, look: COMPARED_LOOKS[i]!, curve }]
  })
  const idle = bots.filter((_, i) => found.curves[i] === null)
  const idleWords = idle.length > 0 && (
    <Text size="small" tone="text2">
      {idle.map(({ name }) => name).join(', ')}: no curve yet. It begins with the second candle of a started bot.
    </Text>
  )
  if (rows.length < 2) return idleWords
  return (
    <Stack gap={2}>
      {periodWords(rows, found.startMs).map((words) => (
        <Banner key={words} kind="warning" title={words} />
      ))}
      <EquityOverlay
        lines={lines}
        startMs={found.startMs}
        summary={rows.map(({ bot, curve }) => `${bot.name} ${formatChangePct(curve.returnPct)}`).join(', ')}
      />
      <DataTable
        label="Bots compared"
        columns={columnsOf(found.startMs)}
        rows={rows}
        rowKey={({ bot }) => bot.id}
        rowName={({ bot }) => bot.name}
      />
      {idleWords}
    </Stack>
  )
}

/** What keeps the curves from being compared, in words. */
function periodWords(rows: readonly Compared[], startMs: number): string[] {
  const end = Math.max(...rows.map(({ curve }) => curve.toMs))
  const early = rows.filter(({ curve }) => curve.fromMs < startMs - DAY_MS)
  const ended = rows.filter(({ curve }) => curve.toMs < end - DAY_MS)
  const last = rows.find(({ curve }) => curve.fromMs === startMs)!.bot.name
  const days = Math.floor((end - startMs) / DAY_MS)
  const named = (some: readonly Compared[]) => some.map(({ bot }) => bot.name).join(', ')
  return [
    early.length > 0 &&
      `They did not begin together: all counts from ${formatDateTimeYear(startMs)}, when ${last} began. What ${named(early)} did before is left out.`,
    ended.length > 0 && `They did not end together: ${named(ended)} stopped earlier, and missed what came after.`,
    days < ENOUGH_DAYS &&
      `${formatCounted(days, 'day')} together: too short to tell skill from luck. Each bot's page says when that can be known.`,
  ].filter((words) => words !== false)
}

const columnsOf = (startMs: number): Column<Compared>[] => [
  {
    head: 'Bot',
    keep: true,
    cell: ({ bot, look }) => (
      <Row as="span" gap={1}>
        <LinePattern look={look} />
        {bot.name}
        {!bot.isVirtual && <MoneyChip isVirtual={false} />}
      </Row>
    ),
  },
  {
    head: `Since ${formatDate(startMs)}`,
    figure: true,
    keep: true,
    cell: ({ curve }) => <b style={{ fontWeight: 500 }}>{formatChangePct(curve.returnPct)}</b>,
  },
  { head: 'Pairs held', figure: true, quiet: true, cell: ({ curve }) => formatChangePct(curve.holdPct) },
  { head: 'Max drawdown', figure: true, cell: ({ curve }) => formatChangePct(-curve.maxDrawdownPct) },
  { head: 'In all', figure: true, cell: ({ bot }) => formatChangePct(returnPctOf(bot)) },
  { head: 'First candle', figure: true, quiet: true, cell: ({ curve }) => formatDate(curve.fromMs) },
  { head: 'Trades in all', figure: true, cell: ({ bot }) => formatCount(bot.totalTrades) },
  { head: 'Win rate', figure: true, cell: ({ bot }) => formatSharePct(winRatePctOf(bot)) },
]

type Points = BotEquity['points']

export interface ComparedCurve {
  /** Percent since the common start. */
  readonly line: readonly { readonly t: number; readonly pct: number }[]
  readonly returnPct: number
  /** Of its pairs held; null where a price is unknown. */
  readonly holdPct: number | null
  /** The deepest fall from a peak since the common start, percent. */
  readonly maxDrawdownPct: number
  /** Its own first and last close, ms. */
  readonly fromMs: number
  readonly toMs: number
}

/** A curve from `startMs` on, which is not before its first point: what it was then, and all after. */
function since(points: Points, startMs: number): Points {
  const at = points.findLastIndex(({ t }) => t <= startMs)
  return at === -1 ? [] : [{ ...points[at]!, t: startMs }, ...points.slice(at + 1)]
}

const changePct = (from: number, to: number): number => (from > 0 ? 100 * (to / from - 1) : 0)

function curveSince({ points, hold }: Pick<BotEquity, 'points' | 'hold'>, startMs: number): ComparedCurve {
  const own = since(points, startMs)
  const held = since(hold, startMs)
  const first = own[0]!.equity
  let peak = 0
  let maxDrawdownPct = 0
  for (const { equity } of own) {
    peak = Math.max(peak, equity)
    maxDrawdownPct = Math.max(maxDrawdownPct, drawdownPct(equity, peak))
  }
  return {
    line: own.map(({ t, equity }) => ({ t, pct: changePct(first, equity) })),
    returnPct: changePct(first, own.at(-1)!.equity),
    holdPct: held.length < 2 ? null : changePct(held[0]!.equity, held.at(-1)!.equity),
    maxDrawdownPct,
    fromMs: points[0]!.t,
    toMs: points.at(-1)!.t,
  }
}

/** Curves from the first close at which all of them had begun, ms; null of those without two points. */
export function comparedCurves(curves: readonly Pick<BotEquity, 'points' | 'hold'>[]): {
  startMs: number
  curves: (ComparedCurve | null)[]
} {
  const hasBegun = ({ points }: Pick<BotEquity, 'points'>) => points.length > 1
  const startMs = Math.max(...curves.filter(hasBegun).map(({ points }) => points[0]!.t))
  return { startMs, curves: curves.map((curve) => (hasBegun(curve) ? curveSince(curve, startMs) : null)) }
}
