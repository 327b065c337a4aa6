import {
  type BotDecision,
  botDecisions,
  type DecisionRule,
  type DoneDecision,
  exportDecisions,
} from '@shapecast/contracts/bot-decisions'
import type { BotResults } from '@shapecast/contracts/bot-results'
import type { Bot } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { useState } from 'react'
import { type MarketOf, useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatPnl, formatPrice } from '#kit/format/money.ts'
import { formatCount, formatCounted, UNKNOWN } from '#kit/format/number.ts'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatTableTime, zoneWords } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { Gain, Row, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { DECISIONS_SHOWN, REFRESH_MS, useBotResults, useIsMine } from '../use-bot.ts'
import { didSomething } from './why-banner.tsx'

const MOST = 1000
const SHOWN = { orders: 'Did something', all: 'All' } as const

/** What it decided at each candle, and why: what did something, all on request, the rest counted by its reason. */
export function DecisionsCard({ bot }: { bot: Bot }) {
  const isMine = useIsMine(bot)
  const marketOf = useMarketFinder()
  const [show, setShow] = useState<keyof typeof SHOWN>('orders')
  const [limit, setLimit] = useState(DECISIONS_SHOWN)
  const reply = useEndpointQuery(
    botDecisions,
    { params: { id: bot.id }, query: { limit, show } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const decisions = reply.data?.decisions
  const counts = useBotResults(bot.id).data?.decisions
  const total = (counts ?? [])
    .filter(({ action }) => show === 'all' || didSomething(action))
    .reduce((sum, { count }) => sum + count, 0)
  const step = TIMEFRAME_MS[bot.parameters?.timeframe ?? '1h']
  return (
    <Card
      title="Decisions"
      facts={`at every close, with its reason · times in ${zoneWords()}`}
      flush
      actions={
        <>
          <ToggleGroup label="Decisions shown" size="small" value={show} onChange={setShow} choices={SHOWN} />
          {isMine && counts !== undefined && counts.length > 0 && (
            <CsvButton of="decisions" fetchFile={() => file(exportDecisions, { params: { id: bot.id } })} />
          )}
        </>
      }
    >
      {counts !== undefined && counts.length > 0 && <Counted counts={counts} />}
      <QueryBoundary reply={reply} title="The decisions could not be loaded" inset>
        <SkeletonGroup label="Loading the decisions">
          <div className={layout.inset}>
            <SkeletonBox height={160} />
          </div>
        </SkeletonGroup>
      </QueryBoundary>
      {decisions?.length === 0 && (
        <EmptyLine>
          {show === 'all' || counts?.length === 0
            ? 'No decision yet. The first is at the next candle close.'
            : 'No decision has done anything yet.'}
        </EmptyLine>
      )}
      {decisions !== undefined && decisions.length > 0 && (
        <DataTable
          label="Decisions"
          columns={columnsOf(decisions, step, bot, marketOf)}
          rows={decisions}
          rowKey={(decision) => decision.id}
          rowName={(decision) => `the decision of ${formatTableTime(decision.candleTs + step)}`}
        />
      )}
      {decisions?.length === limit && limit < Math.min(MOST, total) && (
        <ShowAll onClick={() => setLimit(MOST)}>
          {total > MOST
            ? `Show the newest ${formatCount(MOST)} of ${formatCount(total)}`
            : `Show all ${formatCount(total)}`}
        </ShowAll>
      )}
    </Card>
  )
}

/** `67 of 1,704 decisions did something. The others: 1,015 kept what it held · 613 below cost`. */
function Counted({ counts }: { counts: BotResults['decisions'] }) {
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const others = counts.filter(({ action }) => !didSomething(action))
  const without = others.reduce((sum, { count }) => sum + count, 0)
  const reasons = others.map(
    ({ action, rule, count }) =>
      `${formatCount(count)} ${action === 'held' ? `kept what it held (${RULES[rule]})` : RULES[rule]}`,
  )
  return (
    <Text size="small" tone="text2" className={layout.inset}>
      <strong>
        {formatCount(total - without)} of {formatCounted(total, 'decision')}
      </strong>{' '}
      did something.{reasons.length > 0 && ` The others: ${reasons.join(' · ')}`}
    </Text>
  )
}

function columnsOf(
  decisions: readonly DoneDecision[],
  step: number,
  { tradingPairs }: Bot,
  marketOf: MarketOf,
): Column<DoneDecision>[] {
  return [
    { head: 'Close', keep: true, whole: true, quiet: true, cell: (row) => formatTableTime(row.candleTs + step) },
    ...(tradingPairs.length > 1 ? [{ head: 'Pair', cell: (row: DoneDecision) => row.symbol }] : []),
    ...votersOf(decisions).map((version) => ({
      head: `${version} said`,
      whole: true,
      cell: (row: DoneDecision) => <Vote vote={row.votes.find((one) => one.version === version)} />,
    })),
    {
      head: 'It did',
      keep: true,
      cell: (row) =>
        didSomething(row.action) ? (
          <Chip label={ACTIONS[row.action]} tone="accent" />
        ) : (
          <span style={{ color: colors.text3 }}>{ACTIONS[row.action]}</span>
        ),
    },
    { head: 'Why', cell: (row) => <span style={{ whiteSpace: 'normal' }}>{row.reason}</span> },
    { head: 'Price', figure: true, cell: ({ price, symbol }) => formatPrice(price, marketOf(symbol)?.tickSize) },
    {
      head: 'Net P&L, USDT',
      figure: true,
      keep: true,
      cell: ({ netPnL }) => <Gain of={netPnL} write={formatPnl} />,
    },
  ]
}

const VOTE = {
  BUY: <ArrowUp size={14} color={colors.up} />,
  SELL: <ArrowDown size={14} color={colors.down} />,
  HOLD: <Minus size={14} color={colors.warn} />,
} as const

/** `↑ BUY 65.3%` */
function Vote({ vote }: { vote: BotDecision['votes'][number] | undefined }) {
  if (vote === undefined) return UNKNOWN
  return (
    <Row as="span" gap={0.5} style={{ display: 'inline-flex' }}>
      {VOTE[vote.signal]} {vote.signal}
      <span style={{ color: colors.text2 }}>{formatShareRatio(vote.confidence)}</span>
    </Row>
  )
}

const RULES: Record<DecisionRule, string> = {
  signal: 'Model signal',
  unanimous: 'Unanimous',
  majority: 'Majority',
  weighted: 'Weighted',
  confidence_threshold: 'Most confident',
  disagreement_hold: 'Disagreement: hold',
  disagreement_skip: 'Disagreement: skip',
  disagreement_tie: 'Tie',
  disagreement_highest_confidence: 'Most confident of all',
  no_votes: 'No model answered',
  below_cost: 'Below cost',
  target: 'Target share',
  within_band: 'Within the band',
  not_decision_hour: 'Not its hour',
  paused: 'Paused',
  halted: 'Drawdown limit',
  missed: 'Missed candle',
  openai: 'OpenAI',
  rule: 'Own rule',
  order_skipped: 'Order not possible',
}

const ACTIONS = {
  opened_long: 'Opened long',
  opened_short: 'Opened short',
  increased: 'Bought more',
  reduced: 'Sold a part',
  closed: 'Closed',
  reversed: 'Reversed',
  held: 'Kept',
  no_order: 'No order',
} as const satisfies Record<BotDecision['action'], string>

/** The versions that voted in any of the decisions, in the order of their first vote. */
const votersOf = (decisions: readonly Pick<BotDecision, 'votes'>[]): string[] => [
  ...new Set(decisions.flatMap(({ votes }) => votes.map(({ version }) => version))),
]
