import type { BotMonth, BotResults } from '@shapecast/contracts/bot-results'
import { postedWords } from '#entities/bots/costs.ts'
import { formatPnl, formatPnlUnit } from '#kit/format/money.ts'
import { formatCount, formatCounted, formatFixed, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { formatMonth } from '#kit/format/time.ts'
import { Card, EmptyLine } from '#kit/ui/card.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, Gain, Note } from '#kit/ui/primitives.tsx'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { useBotResults } from '../use-bot.ts'

/** What it made of its trades and its time, and month by month. */
export function ResultsCard({ id }: { id: string }) {
  const reply = useBotResults(id)
  return (
    <Card title="Results" facts="after costs, since it was created or reset" flush>
      <QueryBoundary reply={reply} of="the results" px={20} rows={6} inset />
      {reply.data !== undefined && <Results results={reply.data} />}
    </Card>
  )
}

/** Slippage comes as a cost; shown is what it did to the money. */
const slippageWords = (slippage: BotResults['slippage']): string =>
  slippage === null ? UNKNOWN : `${formatPnlUnit(-slippage.paid, 'USDT')} in ${formatCounted(slippage.orders, 'order')}`

function Results({ results }: { results: BotResults }) {
  const made: Fact[] = [
    { label: 'Expectancy', value: formatPnlUnit(results.expectancy, 'USDT') },
    { label: 'Average win', value: formatPnlUnit(results.averageWin, 'USDT') },
    { label: 'Average loss', value: formatPnlUnit(results.averageLoss, 'USDT') },
    { label: 'Longest losing run', value: formatCounted(results.longestLosingRun, 'trade') },
  ]
  const spent: Fact[] = [
    { label: 'Time in the market', value: formatSharePct(results.timeInMarketPct) },
    { label: 'Exposure', value: formatSharePct(results.exposurePct) },
    { label: 'Fees of closed trades', value: formatPnlUnit(-results.fees, 'USDT') },
    { label: 'Slippage against the decision', value: slippageWords(results.slippage) },
  ]
  return (
    <>
      <Columns gap={6} lineGap={1} at={{ md: 2 }} className={layout.inset}>
        <Facts facts={made} />
        <Facts facts={spent} />
      </Columns>
      {results.posted !== undefined && (
        <Columns gap={6} at={{ md: 2 }} className={layout.inset}>
          <Note as="p" breaks>
            {postedWords(results.posted)}
          </Note>
        </Columns>
      )}
      {results.months.length === 0 ? (
        <EmptyLine>Its months begin with the first candle that it sees close.</EmptyLine>
      ) : (
        <DataTable
          label="Months"
          columns={COLUMNS}
          rows={results.months.toReversed()}
          rowKey={({ from }) => from}
          rowName={monthWords}
        />
      )}
    </>
  )
}

/** By its middle: a month of UTC begins and ends in another one elsewhere. */
const monthWords = ({ from, to }: BotMonth): string => formatMonth((from + to) / 2)

const COLUMNS: readonly Column<BotMonth>[] = [
  { head: 'Month, UTC', keep: true, whole: true, cell: monthWords },
  { head: 'P&L, USDT', figure: true, keep: true, cell: ({ pnl }) => <Gain of={pnl} write={formatPnl} strong /> },
  { head: 'Return', figure: true, keep: true, cell: ({ returnPct }) => formatChangePct(returnPct) },
  { head: 'Buy and hold', figure: true, quiet: true, cell: ({ holdPct }) => formatChangePct(holdPct) },
  {
    head: 'Worst drawdown',
    figure: true,
    quiet: true,
    cell: ({ maxDrawdownPct }) => `${formatFixed(-maxDrawdownPct, 2)}%`,
  },
  { head: 'Trades', figure: true, cell: ({ trades }) => formatCount(trades) },
]
