import { Box } from '@mui/material'
import { type BotDecision, botDecisions, exportDecisions } from '@shapecast/contracts/bot-decisions'
import type { Bot } from '@shapecast/contracts/bots'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { ArrowDown, ArrowUp, Minus } from 'lucide-react'
import { useState } from 'react'
import { formatShareRatio } from '#kit/format/percent.ts'
import { formatTableTime } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { ShowAll } from '#kit/ui/show-all.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { REFRESH_MS } from '../use-bot-account.ts'
import { actionWords, DECISIONS_SHOWN, isOrder, ruleWords, votersOf } from './decision-words.ts'

const MOST = 1000
const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'orders', label: 'Orders' },
  { value: 'not_traded', label: 'Not traded' },
] as const

/** What it decided at each candle, and why. */
export function DecisionsCard({ bot, isMine }: { bot: Bot; isMine: boolean }) {
  const [show, setShow] = useState<(typeof SHOWN)[number]['value']>('all')
  const [limit, setLimit] = useState(DECISIONS_SHOWN)
  const reply = useEndpointQuery(
    botDecisions,
    { params: { id: bot.id }, query: { limit, show } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const decisions = reply.data?.decisions
  const step = TIMEFRAME_MS[bot.parameters?.timeframe ?? '1h']
  return (
    <Card
      title="Decisions"
      facts={`at every close, with its reason · times in ${zoneWords()}`}
      flush
      actions={
        <>
          <ToggleGroup label="Decisions shown" size="small" value={show} onChange={setShow} choices={SHOWN} />
          {isMine && decisions !== undefined && (decisions.length > 0 || show !== 'all') && (
            <CsvButton
              failed="The decisions could not be saved"
              fetchFile={() => file(exportDecisions, { params: { id: bot.id } })}
              fallbackName={`decisions-${bot.id}.csv`}
            />
          )}
        </>
      }
    >
      <Awaited reply={reply} title="The decisions could not be loaded" inset>
        <SkeletonGroup label="Loading the decisions">
          <Box sx={{ p: 2 }}>
            <SkeletonBox height={160} />
          </Box>
        </SkeletonGroup>
      </Awaited>
      {decisions?.length === 0 && (
        <EmptyLine>{show === 'all' ? 'No decision yet. The first is at the next candle close.' : 'None.'}</EmptyLine>
      )}
      {decisions !== undefined && decisions.length > 0 && (
        <DataTable
          label="Decisions"
          columns={columnsOf(decisions, step, bot.tradingPairs.length > 1)}
          rows={decisions}
          rowKey={(decision) => decision.id}
          rowName={(decision) => `the decision of ${formatTableTime(decision.candleTs + step)}`}
        />
      )}
      {decisions?.length === limit && limit < MOST && (
        <ShowAll onClick={() => setLimit(MOST)}>{`Show up to ${MOST}`}</ShowAll>
      )}
    </Card>
  )
}

function columnsOf(decisions: readonly BotDecision[], step: number, hasPairs: boolean): Column<BotDecision>[] {
  return [
    {
      id: 'time',
      head: 'Close',
      keep: true,
      whole: true,
      quiet: true,
      cell: (row) => formatTableTime(row.candleTs + step),
    },
    ...(hasPairs ? [{ id: 'symbol', head: 'Pair', cell: (row: BotDecision) => row.symbol }] : []),
    ...votersOf(decisions).map((version) => ({
      id: `vote ${version}`,
      head: version,
      cell: (row: BotDecision) => <Vote vote={row.votes.find((one) => one.version === version)} />,
    })),
    { id: 'rule', head: 'Rule', cell: (row) => ruleWords(row.rule) },
    {
      id: 'action',
      head: 'Action',
      keep: true,
      cell: (row) =>
        isOrder(row.action) ? (
          <Chip label={actionWords(row.action)} tone="accent" />
        ) : (
          <Box component="span" sx={{ color: colors.text3 }}>
            {actionWords(row.action)}
          </Box>
        ),
    },
    {
      id: 'reason',
      head: 'Reason',
      cell: (row) => (
        <Box component="span" sx={{ whiteSpace: 'normal' }}>
          {row.reason}
        </Box>
      ),
    },
  ]
}

const VOTE = {
  BUY: { icon: <ArrowUp size={14} color={colors.up} />, word: 'BUY' },
  SELL: { icon: <ArrowDown size={14} color={colors.down} />, word: 'SELL' },
  HOLD: { icon: <Minus size={14} color={colors.warn} />, word: 'HOLD' },
} as const

/** A model's vote as an arrow and its confidence. */
function Vote({ vote }: { vote: BotDecision['votes'][number] | undefined }) {
  if (vote === undefined) return '—'
  const { icon, word } = VOTE[vote.signal]
  return (
    <Box
      component="span"
      title={word}
      aria-label={`${word} ${formatShareRatio(vote.confidence)}`}
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}
    >
      {icon}
      {formatShareRatio(vote.confidence)}
    </Box>
  )
}
