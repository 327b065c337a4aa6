import { type BotTrade, botTrades, exportTrades, type OpenBotPosition } from '@shapecast/contracts/bot-trading'
import type { Bot } from '@shapecast/contracts/bots'
import { useState } from 'react'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { exitWords, heldWords } from '#entities/bots/trade-words.ts'
import { type MarketOf, useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPnl, formatPrice, formatQuantity } from '#kit/format/money.ts'
import { formatCount, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import layout from '#kit/ui/layout.module.css'
import { MenuSelect } from '#kit/ui/menu.tsx'
import { Gain, Note, Text } from '#kit/ui/primitives.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useBotBalance, useBotResults } from '../use-bot.ts'
import { netOf } from './position-card.tsx'

const FIRST_SHOWN = 8
const MOST = 1000

/** Of all years, for the file. */
const ALL = 'all'

const SIDES = { all: 'All', long: 'Long', short: 'Short' } as const

/** A closed trade, or what is open as one: it has no reason to have ended yet. */
type Row = Omit<BotTrade, 'exitReason'> & { readonly exitReason: BotTrade['exitReason'] | null }

const openRow = (position: OpenBotPosition, nowMs: number): Row => ({
  ...position,
  id: position.symbol,
  exitTime: nowMs,
  exitPrice: position.markPrice,
  netPnL: netOf(position),
  fees: position.fees ?? 0,
  funding: position.funding ?? 0,
  exitReason: null,
})

/** What is open, then closed trades, the newest first, with what they made on average; `onLook` moves the chart to one. */
export function TradesCard({ bot, onLook }: { bot: Bot; onLook: (trade: Row) => void }) {
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const [year, setYear] = useState(ALL)
  const [side, setSide] = useState<keyof typeof SIDES>('all')
  const nowMs = useHealthAndClock().data?.marketTime ?? Date.now()
  const open = useBotBalance(bot.id).data?.positions.filter((position) => side === 'all' || position.side === side)
  const results = useBotResults(bot.id).data
  const marketOf = useMarketFinder()
  const reply = useEndpointQuery(
    botTrades,
    { params: { id: bot.id }, query: side === 'all' ? { limit } : { limit, side } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const closed = reply.data
  const rows = closed && [...(open ?? []).map((position) => openRow(position, nowMs)), ...closed]
  return (
    <Card
      title="Trades"
      flush
      actions={
        bot.totalTrades > 0 && (
          <>
            <ToggleGroup label="Side" size="small" value={side} onChange={setSide} choices={SIDES} />
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
              of="trades"
              fetchFile={() =>
                file(exportTrades, { params: { id: bot.id }, query: year === ALL ? {} : { year: Number(year) } })
              }
            />
          </>
        )
      }
    >
      <QueryBoundary reply={reply} of="the trades" px={20} rows={3} inset />
      {rows?.length === 0 && (
        <EmptyLine>
          {side === 'all' ? 'No trade has been closed yet.' : `No ${side} trade has been closed yet.`}
        </EmptyLine>
      )}
      {results !== undefined && results.trades > 0 && (
        <Text size="small" tone="text2" className={layout.inset}>
          Average win {formatPnl(results.averageWin)} · average loss {formatPnl(results.averageLoss)} · a trade earns{' '}
          {formatPnl(results.expectancy)} on average · fees {formatMoney(results.fees)}, all in USDT
        </Text>
      )}
      {rows !== undefined && rows.length > 0 && (
        <DataTable
          label="Trades"
          columns={columnsOf(bot.tradingPairs, marketOf)}
          rows={rows}
          rowKey={(trade) => trade.id}
          rowName={(trade) => `the ${trade.side} trade of ${formatTableTimeYear(trade.entryTime)}`}
          onRow={{ words: 'Show in the chart', press: onLook }}
        />
      )}
      {closed?.length === limit && limit < bot.totalTrades && (
        <ShowAll onClick={() => setLimit(MOST)}>
          {side !== 'all'
            ? `Show all ${side} trades among the ${formatCount(bot.totalTrades)}`
            : bot.totalTrades > MOST
              ? `Show the newest ${formatCount(MOST)} of ${formatCount(bot.totalTrades)}`
              : `Show all ${formatCount(bot.totalTrades)}`}
        </ShowAll>
      )}
    </Card>
  )
}

function columnsOf(pairs: readonly string[], marketOf: MarketOf): Column<Row>[] {
  const price = (trade: Row, value: number) => formatPrice(value, marketOf(trade.symbol)?.tickSize)
  const base = pairs.length === 1 ? marketOf(pairs[0]!)?.base : undefined
  return [
    { head: 'Side', keep: true, cell: (trade) => <SideMark side={trade.side} /> },
    ...(pairs.length > 1 ? [{ head: 'Pair', cell: (trade: Row) => trade.symbol }] : []),
    { head: `Entry, ${zoneWords()}`, quiet: true, cell: (trade) => formatTableTimeYear(trade.entryTime) },
    {
      head: `Exit, ${zoneWords()}`,
      keep: true,
      whole: true,
      quiet: true,
      cell: ({ exitReason, ...trade }) =>
        exitReason === null ? (
          <Chip label="open" tone="accent" />
        ) : (
          <>
            {formatTableTimeYear(trade.exitTime)}
            <Note className={layout.onlyNarrow}>
              {exitWords({ exitReason })} after {heldWords(trade)}
            </Note>
          </>
        ),
    },
    { head: 'Held', figure: true, cell: (trade) => heldWords(trade) },
    { head: 'Entry price', figure: true, cell: (trade) => price(trade, trade.entryPrice) },
    { head: 'Exit price', figure: true, cell: (trade) => price(trade, trade.exitPrice) },
    {
      head: base === undefined ? 'Quantity' : `Quantity, ${base}`,
      figure: true,
      cell: (trade) => formatQuantity(trade.quantity),
    },
    { head: 'Fees, USDT', figure: true, quiet: true, cell: (trade) => formatMoney(trade.fees) },
    {
      head: 'Change',
      figure: true,
      cell: ({ side, entryPrice, exitPrice }) =>
        formatChangePct((side === 'long' ? 100 : -100) * (exitPrice / entryPrice - 1)),
    },
    {
      head: 'Net P&L, USDT',
      figure: true,
      keep: true,
      cell: (trade) => <Gain of={trade.netPnL} write={formatPnl} strong />,
    },
    { head: 'Exit reason', cell: ({ exitReason }) => (exitReason === null ? UNKNOWN : exitWords({ exitReason })) },
  ]
}
