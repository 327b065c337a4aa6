import { type BotTrade, botTrades, exportTrades } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { useState } from 'react'
import { SideMark } from '#entities/bots/side-mark.tsx'
import { exitWords, heldWords } from '#entities/bots/trade-words.ts'
import { formatMoney, formatPnl, formatPrice, formatQuantity } from '#kit/format/money.ts'
import { directionOf, formatCount } from '#kit/format/number.ts'
import { formatTableTimeYear } from '#kit/format/time.ts'
import { zoneWords } from '#kit/format/time-zone.ts'
import { Card } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import layout from '#kit/ui/layout.module.css'
import { ListSkeleton } from '#kit/ui/list-skeleton.tsx'
import { MenuSelect } from '#kit/ui/menu-select.tsx'
import { ShowAll } from '#kit/ui/show-all.tsx'
import { Text } from '#kit/ui/text.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useBotResults } from '../use-bot.ts'

const FIRST_SHOWN = 8
const MOST = 1000

/** Of all years, for the file. */
const ALL = 'all'

/** Closed trades, the newest first, with what they made on average; `onLook` moves the chart to one. */
export function TradesCard({
  bot,
  marketOf,
  onLook,
}: {
  bot: Bot
  marketOf: (symbol: string) => Market | undefined
  onLook: (trade: BotTrade) => void
}) {
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const [year, setYear] = useState(ALL)
  const results = useBotResults(bot.id).data
  const reply = useEndpointQuery(
    botTrades,
    { params: { id: bot.id }, query: { limit } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const rows = reply.data
  return (
    <Card
      title="Trades"
      facts={
        rows === undefined || rows.length === 0
          ? undefined
          : `${formatCount(rows.length)} of ${formatCount(bot.totalTrades)} · times in ${zoneWords()}`
      }
      flush
      actions={
        bot.totalTrades > 0 && (
          <>
            {results !== undefined && results.years.length > 1 && (
              <MenuSelect
                look="chip"
                label="Years in the file"
                value={year}
                choices={[
                  { value: ALL, label: 'All years' },
                  ...results.years.map((one) => ({ value: String(one), label: String(one) })),
                ]}
                onChange={setYear}
              />
            )}
            <CsvButton
              failed="The trades could not be saved"
              fetchFile={() =>
                file(exportTrades, { params: { id: bot.id }, query: year === ALL ? {} : { year: Number(year) } })
              }
              fallbackName={`trades-${bot.id}.csv`}
            />
          </>
        )
      }
    >
      <QueryBoundary reply={reply} title="The trades could not be loaded" inset>
        <ListSkeleton label="Loading the trades" rowHeightPx={20} rows={3} />
      </QueryBoundary>
      {rows?.length === 0 && <EmptyLine>No trade has been closed yet.</EmptyLine>}
      {results !== undefined && results.trades > 0 && (
        <Text size="small" tone="text2" className={layout.inset}>
          Average win {formatPnl(results.averageWin)} · average loss {formatPnl(results.averageLoss)} · a trade earns{' '}
          {formatPnl(results.expectancy)} on average · fees {formatMoney(results.fees)}, all in USDT
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label="Trades"
          columns={columnsOf(bot.tradingPairs.length > 1, marketOf)}
          rows={rows}
          rowKey={(trade) => trade.id}
          rowName={(trade) => `the ${trade.side} trade of ${formatTableTimeYear(trade.entryTime)}`}
          onRow={{ words: 'Show in the chart', press: onLook }}
        />
      )}
      {rows !== undefined && rows.length === limit && limit < bot.totalTrades && (
        <ShowAll onClick={() => setLimit(MOST)}>{`Show all ${formatCount(bot.totalTrades)}`}</ShowAll>
      )}
    </Card>
  )
}

function columnsOf(hasPairs: boolean, marketOf: (symbol: string) => Market | undefined): Column<BotTrade>[] {
  const price = (trade: BotTrade, value: number) => formatPrice(value, marketOf(trade.symbol)?.tickSize)
  return [
    { id: 'side', head: 'Side', keep: true, cell: (trade) => <SideMark side={trade.side} /> },
    ...(hasPairs ? [{ id: 'symbol', head: 'Pair', cell: (trade: BotTrade) => trade.symbol }] : []),
    { id: 'entry-time', head: 'Entry time', quiet: true, cell: (trade) => formatTableTimeYear(trade.entryTime) },
    {
      id: 'exit-time',
      head: 'Exit time',
      keep: true,
      whole: true,
      quiet: true,
      cell: (trade) => formatTableTimeYear(trade.exitTime),
    },
    {
      id: 'duration',
      head: 'Duration',
      figure: true,
      cell: (trade) => heldWords(trade),
    },
    { id: 'entry-price', head: 'Entry price', figure: true, cell: (trade) => price(trade, trade.entryPrice) },
    { id: 'exit-price', head: 'Exit price', figure: true, cell: (trade) => price(trade, trade.exitPrice) },
    { id: 'quantity', head: 'Quantity', figure: true, cell: (trade) => formatQuantity(trade.quantity) },
    { id: 'fees', head: 'Fees, USDT', figure: true, quiet: true, cell: (trade) => formatMoney(trade.fees) },
    {
      id: 'net-pnl',
      head: 'Net PnL, USDT',
      figure: true,
      keep: true,
      cell: (trade) => (
        <span style={{ fontWeight: 500, color: directionColor(directionOf(trade.netPnL)) }}>
          {formatPnl(trade.netPnL)}
        </span>
      ),
    },
    { id: 'reason', head: 'Exit reason', cell: (trade) => exitWords(trade) },
  ]
}
