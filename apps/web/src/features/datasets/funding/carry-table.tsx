import type { ReplyOf } from '@shapecast/contracts/endpoint'
import { fundingCarry } from '@shapecast/contracts/funding'
import { directionOf, formatCount } from '#kit/format/number.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { Column as Stack } from '#kit/ui/layout.tsx'
import { directionColor, Note, Text } from '#kit/ui/text.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'

type CarryYear = ReplyOf<typeof fundingCarry>[number]

/** What holding a coin and selling as much of its future would have come to, by year. */
export function CarryTable({ symbol }: { symbol: string }) {
  const carry = useEndpointQuery(fundingCarry, { params: { symbol }, query: {} })
  if (carry.isError) return <Text tone="warn">{errorText(carry.error, 'The carry could not be loaded')}</Text>
  return (
    <Stack gap={0.5}>
      <DataTable
        label={`Carry of ${symbol} by year`}
        columns={COLUMNS}
        rows={carry.data ?? []}
        rowKey={({ year }) => year}
        rowName={({ year }) => String(year)}
      />
      <Note as="p">
        Holding the coin and selling as much of its future: prices cancel out, funding stays. Net is after one entry and
        one exit of both (fee 0.06% and 5 bps each) on capital of twice the notional: the coin, and as much again as
        margin. Not in it: what the gap between spot and future wins or loses, a margin call when the price doubles, and
        the risk of the exchange itself. Measured on past rates, no forecast.
      </Note>
    </Stack>
  )
}

const COLUMNS: Column<CarryYear>[] = [
  { id: 'year', head: 'Year', keep: true, cell: ({ year }) => year },
  { id: 'known', head: 'Rates known', figure: true, quiet: true, cell: ({ known }) => formatSharePct(100 * known) },
  {
    id: 'settlements',
    head: 'Settlements',
    figure: true,
    quiet: true,
    cell: ({ settlements }) => formatCount(settlements),
  },
  { id: 'paid', head: 'Paid instead of received', figure: true, cell: ({ paid }) => formatSharePct(100 * paid) },
  { id: 'rates', head: 'All rates', figure: true, cell: ({ rates }) => formatChangePct(100 * rates) },
  {
    id: 'net',
    head: 'Net on capital',
    figure: true,
    keep: true,
    cell: ({ net }) => <span style={{ color: directionColor(directionOf(net)) }}>{formatChangePct(100 * net)}</span>,
  },
]
