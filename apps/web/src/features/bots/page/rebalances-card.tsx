import { type BotRebalance, botRebalances, exportRebalances } from '@shapecast/contracts/bot-rebalances'
import type { Bot } from '@shapecast/contracts/bots'
import { useState } from 'react'
import { coinOf } from '#entities/bots/bot-words.ts'
import { formatMoney, formatMoneyUnit } from '#kit/format/money.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { formatTableTimeYear, zoneWords } from '#kit/format/time.ts'
import { ShowAll } from '#kit/ui/button.tsx'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Note } from '#kit/ui/primitives.tsx'
import { file } from '#wire/calls/client.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { CsvButton } from '#wire/ui/csv-button.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS } from '../use-bot.ts'

const FIRST_SHOWN = 5
const MOST = 10_000
/** While one is under way. */
const SOON_MS = 2000

/** The newest rebalances of a bot; asked for again soon while one that a person has asked for is under way. */
export const useRebalances = (id: string, limit: number, isUnderWay: boolean) =>
  useEndpointQuery(
    botRebalances,
    { params: { id }, query: { limit } },
    { refetchInterval: isUnderWay ? SOON_MS : REFRESH_MS, placeholderData: (before) => before },
  )

const CAUSES: Readonly<Record<BotRebalance['cause'], string>> = { daily: 'Daily decision', by_hand: 'By hand' }

const COLUMNS: readonly Column<BotRebalance>[] = [
  { head: 'Time', keep: true, whole: true, cell: ({ at }) => formatTableTimeYear(at) },
  { head: 'What', keep: true, cell: (row) => <What {...row} /> },
  { head: 'Why', quiet: true, whole: true, cell: ({ cause }) => CAUSES[cause] },
  { head: 'Orders', figure: true, quiet: true, cell: ({ orders }) => formatCount(orders.length) },
  { head: 'Turnover', figure: true, cell: ({ turnoverPct }) => formatSharePct(turnoverPct) },
  { head: 'Fees and slippage, USDT', figure: true, cell: ({ costs }) => formatMoney(costs) },
]

/** `BTC sold, ETH and SOL bought`. */
function whatWords({ orders }: BotRebalance): string {
  const of = (side: 'buy' | 'sell', words: string) => {
    const coins = orders.filter((order) => order.side === side).map(({ symbol }) => coinOf(symbol))
    if (coins.length === 0) return []
    const named = coins.length > 3 ? `${formatCount(coins.length)} coins` : coins.join(' and ')
    return [`${named} ${words}`]
  }
  return [...of('sell', 'sold'), ...of('buy', 'bought')].join(', ')
}

const What = (row: BotRebalance) => (
  <>
    {whatWords(row)}
    {row.left.map(({ symbol, reason }) => (
      <Note key={symbol} as="p">
        {coinOf(symbol)}: {reason}
      </Note>
    ))}
  </>
)

/** How often a bot was brought to its targets, why, and what that cost. */
export function RebalancesCard({ bot, isUnderWay }: { bot: Bot; isUnderWay: boolean }) {
  const [limit, setLimit] = useState(FIRST_SHOWN)
  const reply = useRebalances(bot.id, limit, isUnderWay)
  const { total = 0, orders = 0, costs = 0, rebalances } = reply.data ?? {}
  return (
    <Card
      title="Rebalances"
      facts={
        total > 0 &&
        `${formatCount(total)}, ${formatCount(orders)} orders, ${formatMoneyUnit(costs, 'USDT')} of fees and slippage · times in ${zoneWords()}`
      }
      actions={
        total > 0 && (
          <CsvButton
            of="rebalances"
            fetchFile={() => file(exportRebalances, { params: { id: bot.id } })}
            label="Save the rebalances as CSV"
          />
        )
      }
      flush
    >
      <QueryBoundary reply={reply} of="the rebalances" px={36} rows={FIRST_SHOWN} inset />
      {rebalances?.length === 0 && <EmptyLine>It has not been rebalanced yet: it decides once a day.</EmptyLine>}
      {rebalances !== undefined && rebalances.length > 0 && (
        <DataTable
          label="Rebalances"
          columns={COLUMNS}
          rows={rebalances}
          rowKey={({ at, cause }) => `${cause} ${at}`}
          rowName={({ at }) => formatTableTimeYear(at)}
        />
      )}
      {rebalances !== undefined && rebalances.length < total && (
        <ShowAll onClick={() => setLimit(MOST)}>{`Show all ${formatCount(total)}`}</ShowAll>
      )}
    </Card>
  )
}
