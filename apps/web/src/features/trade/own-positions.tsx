import type { Order, Position } from '@shapecast/contracts/accounts'
import type { Market } from '@shapecast/contracts/market'
import { useState } from 'react'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { Pnl } from '#entities/bots/position-columns.tsx'
import { formatMoney, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Button } from '#kit/ui/button.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { EditGuardsDialog, SellPositionDialog } from './position-dialogs.tsx'
import { guardPrices } from './positions-file.ts'
import css from './trade-page.module.css'

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0)

/** The sums of several positions, where every price is known. */
const sumsOf = (positions: readonly Position[]) =>
  positions.length < 2
    ? undefined
    : {
        words: 'Together',
        of: {
          worth: formatMoney(sum(positions.map(({ quantity, lastPrice }) => lastPrice && quantity * lastPrice))),
          pnl: <Pnl value={sum(positions.map(({ unrealisedPnl }) => unrealisedPnl))} />,
        },
      }

/** What the own account holds; of the virtual one, each with its stop and target to change and a way to sell it. */
export function OwnPositions({
  positions,
  orders,
  marketOf,
}: {
  positions: readonly Position[]
  orders: readonly Order[]
  marketOf: (symbol: string) => Market | undefined
}) {
  const price = (symbol: string, value: number | null) => formatPrice(value, marketOf(symbol)?.tickSize)
  const guards = (symbol: string, type: Order['type']) => {
    const prices = guardPrices(orders, symbol, type).map((one) => price(symbol, one))
    return prices.length === 0 ? 'none' : [...new Set(prices)].join(', ')
  }
  const [asked, setAsked] = useState<{ what: 'edit' | 'sell'; symbol: string } | null>(null)
  const about = positions.find(({ symbol }) => symbol === asked?.symbol)
  const columns: Column<Position>[] = [
    { id: 'pair', head: 'Pair', keep: true, cell: ({ symbol }) => symbol },
    { id: 'side', head: 'Side', cell: ({ side }) => <SideMark side={side} /> },
    {
      id: 'size',
      head: 'Size',
      figure: true,
      cell: ({ symbol, quantity }) =>
        formatQuantityAsset(quantity, marketOf(symbol)?.base ?? symbol, marketOf(symbol)?.lotSize),
    },
    { id: 'entry', head: 'Entry', figure: true, cell: ({ symbol, entryPrice }) => price(symbol, entryPrice) },
    { id: 'last', head: 'Live price', figure: true, cell: ({ symbol, lastPrice }) => price(symbol, lastPrice) },
    {
      id: 'worth',
      head: 'Worth, USDT',
      figure: true,
      cell: ({ quantity, lastPrice }) => (lastPrice === null ? UNKNOWN : formatMoney(quantity * lastPrice)),
    },
    {
      id: 'pnl',
      head: 'Price P&L, USDT',
      figure: true,
      keep: true,
      cell: ({ unrealisedPnl, cost }) => (
        <>
          <Pnl value={unrealisedPnl} />{' '}
          {cost !== null && unrealisedPnl !== null && formatChangePct((100 * unrealisedPnl) / cost)}
        </>
      ),
    },
    {
      id: 'guards',
      head: 'Stop / target',
      figure: true,
      cell: ({ symbol, isVirtual }) => (
        <span className={css.guards}>
          {guards(symbol, 'stop')} / {guards(symbol, 'take_profit')}
          {isVirtual && (
            <Button
              size="small"
              aria-label={`Edit stop and target: ${symbol}`}
              onClick={() => setAsked({ what: 'edit', symbol })}
            >
              Edit
            </Button>
          )}
        </span>
      ),
    },
    {
      id: 'close',
      head: 'Close',
      keep: true,
      cell: ({ symbol, isVirtual }) =>
        isVirtual && (
          <Button size="small" aria-label={`Close: ${symbol}`} onClick={() => setAsked({ what: 'sell', symbol })}>
            Close
          </Button>
        ),
    },
  ]
  const dialog = { market: marketOf(asked?.symbol ?? ''), onClose: () => setAsked(null) }
  return (
    <>
      <DataTable
        label="My positions"
        columns={columns}
        rows={positions}
        sums={sumsOf(positions)}
        rowKey={({ symbol }) => symbol}
        rowName={({ symbol }) => symbol}
      />
      {asked?.what === 'edit' && about !== undefined && (
        <EditGuardsDialog {...dialog} position={about} orders={orders} />
      )}
      {asked?.what === 'sell' && about !== undefined && <SellPositionDialog {...dialog} position={about} />}
    </>
  )
}
