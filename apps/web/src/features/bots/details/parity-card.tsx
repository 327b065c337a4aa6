import { type BotParity, botParity } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { RefreshCw } from 'lucide-react'
import { formatPnl, formatPnlUnit } from '#kit/format/money.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { formatDateRange, formatTableTimeYear } from '#kit/format/time.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { DataTable, type Column as TableColumn } from '#kit/ui/data-table.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Note, Text } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import css from './bot-details.module.css'

type Difference = BotParity['differences'][number]
type Cause = Difference['cause']

const CAUSES: Readonly<Record<Cause, string>> = {
  price_between_candles: 'Price between candles',
  fee: 'Fee',
  funding: 'Funding',
  missed_candle: 'Missed candle',
  follows_from_missed: 'Follows from a missed candle',
  candle_changed: 'Candle changed',
  candle_late: 'Candle late',
  model_changed: 'Model changed',
  settings_changed: 'Settings changed',
  closed_by_hand: 'Closed by hand',
  rebalanced_by_hand: 'Rebalanced by hand',
  order_refused: 'Order refused',
}
/** What somebody did, and not how it trades. */
const CHANGES: readonly Cause[] = ['model_changed', 'settings_changed']

/** Its live trades against a backtest of the same rules over the same candles; compared when asked. */
export function ParityCard({ bot }: { bot: Bot }) {
  const reply = useEndpointQuery(botParity, { params: { id: bot.id } }, { enabled: false, retry: false })
  const parity = reply.data
  return (
    <Card
      title="Live against backtest"
      facts={
        parity === undefined
          ? 'the same rules over the same candles'
          : `${formatDateRange(parity.from, parity.to)} · ${formatCounted(parity.candles, 'candle')}`
      }
      flush
      actions={
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          {...busyButton(reply.isFetching, () => void reply.refetch())}
        >
          {reply.isFetching ? 'Comparing…' : parity === undefined ? 'Compare' : 'Compare again'}
        </Button>
      }
    >
      {parity === undefined && !reply.isError && (
        <EmptyLine>A live bot takes the same steps as a backtest. Compare, to see whether it did.</EmptyLine>
      )}
      {reply.isError && <EmptyLine>{errorText(reply.error, 'They could not be compared.')}</EmptyLine>}
      {parity !== undefined && <Compared parity={parity} />}
    </Card>
  )
}

function Compared({ parity }: { parity: BotParity }) {
  const total = Math.max(parity.liveTrades, parity.backtestTrades)
  const equal = Math.max(0, total - parity.differences.length)
  const difference = parity.livePnL - parity.backtestPnL
  const changed = parity.costs.filter(({ cause }) => CHANGES.includes(cause)).reduce((sum, { pnl }) => sum + pnl, 0)
  return (
    <>
      <Columns gap={0} at={{ md: '320px minmax(0, 1fr)' }} className={css.compared}>
        <Column gap={1.5} className={layout.inset} style={{ alignContent: 'start' }}>
          <Text size="h3" as="p">
            {total === 0 ? 'No trades on either side' : `${equal} of ${formatCounted(total, 'trade')} equal`}
          </Text>
          {total > 0 && (
            <div className={css.share} aria-hidden>
              <span style={{ flexGrow: equal }} />
              <span style={{ flexGrow: total - equal }} />
            </div>
          )}
          <Facts
            facts={[
              { label: 'Live, closed trades', value: formatPnlUnit(parity.livePnL, 'USDT') },
              { label: 'Backtest, same candles', value: formatPnlUnit(parity.backtestPnL, 'USDT') },
              { label: 'Difference', value: formatPnlUnit(difference, 'USDT') },
              changed !== 0 && { label: 'of it not by a change', value: formatPnlUnit(difference - changed, 'USDT') },
            ]}
          />
        </Column>
        {parity.costs.length === 0 ? (
          <EmptyLine>Nothing to explain.</EmptyLine>
        ) : (
          <DataTable
            label="Causes of the difference"
            columns={causesOf(parity.differences)}
            rows={parity.costs}
            rowKey={({ cause }) => cause}
            rowName={({ cause }) => CAUSES[cause]}
          />
        )}
      </Columns>
      {parity.differences.length > 0 && (
        <Folded title={`Trade by trade (${formatCount(parity.differences.length)})`} flush>
          <DataTable
            label="Trades that differ"
            columns={DIFFERENCES}
            rows={parity.differences}
            rowKey={({ candleTs, symbol, cause }) => `${candleTs} ${symbol} ${cause}`}
            rowName={({ candleTs }) => `the trade of ${formatTableTimeYear(candleTs)}`}
          />
        </Folded>
      )}
      <Note tone="text2" className={css.footnote}>
        The backtest replays the forecasts that were stored when the bot decided; causes add up to the difference.
      </Note>
    </>
  )
}

/** Each cause with what happened first by it. */
const causesOf = (differences: readonly Difference[]): TableColumn<BotParity['costs'][number]>[] => [
  { head: 'Cause', keep: true, cell: ({ cause }) => <strong>{CAUSES[cause]}</strong> },
  {
    head: 'What happened',
    quiet: true,
    cell: (row) => {
      const first = differences.find(({ cause }) => cause === row.cause)
      return (
        first !== undefined && (
          <span className={css.words}>
            {formatTableTimeYear(first.candleTs)}: {first.note}
          </span>
        )
      )
    },
  },
  { head: 'Trades', figure: true, cell: ({ trades }) => formatCount(trades) },
  { head: 'Live − backtest, USDT', figure: true, keep: true, cell: ({ pnl }) => formatPnl(pnl) },
]

const DIFFERENCES: readonly TableColumn<Difference>[] = [
  { head: 'Candle', keep: true, whole: true, cell: ({ candleTs }) => formatTableTimeYear(candleTs) },
  { head: 'Pair', cell: ({ symbol }) => symbol },
  { head: 'Cause', keep: true, cell: ({ cause }) => CAUSES[cause] },
  { head: 'What happened', quiet: true, cell: ({ note }) => <span className={css.words}>{note}</span> },
  {
    head: 'Live − backtest, USDT',
    figure: true,
    keep: true,
    cell: ({ live, backtest }) => formatPnl((live?.netPnL ?? 0) - (backtest?.netPnL ?? 0)),
  },
]
