import { changeGuards, GuardsDraft, type Order, type Position, placeOrder } from '@shapecast/contracts/accounts'
import type { Market } from '@shapecast/contracts/market'
import { useState } from 'react'
import { SideMark } from '#entities/bots/bot-chips.tsx'
import { Pnl, sellingFacts } from '#entities/bots/position-columns.tsx'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPnlUnit, formatPrice, formatQuantityAsset } from '#kit/format/money.ts'
import { UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button } from '#kit/ui/button.tsx'
import { type Column, DataTable } from '#kit/ui/data-table.tsx'
import { ConfirmDialog, FormDialog } from '#kit/ui/dialog.tsx'
import { Facts } from '#kit/ui/facts.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { errorText, failureText } from '#wire/calls/error-text.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'

/** The prices of what stands over a coin: of its stops, or of its targets. */
const guardPrices = (orders: readonly Order[], symbol: string, type: Order['type']): number[] =>
  orders
    .filter((order) => order.symbol === symbol && order.type === type && order.status === 'open')
    .flatMap(({ stopPrice }) => stopPrice ?? [])

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0)

/** The sums of several positions, where every price is known. */
const sumsOf = (positions: readonly Position[]) =>
  positions.length < 2
    ? undefined
    : {
        words: 'Together',
        of: {
          'Worth, USDT': formatMoney(
            sum(positions.map(({ quantity, lastPrice }) => lastPrice && quantity * lastPrice)),
          ),
          'Price P&L, USDT': <Pnl value={sum(positions.map(({ unrealisedPnl }) => unrealisedPnl))} />,
        },
      }

/** What the own account holds; of the virtual one, each with its stop and target to change and a way to sell it. */
export function OwnPositions({ positions, orders }: { positions: readonly Position[]; orders: readonly Order[] }) {
  const marketOf = useMarketFinder()
  const price = (symbol: string, value: number | null) => formatPrice(value, marketOf(symbol)?.tickSize)
  const guards = (symbol: string, type: Order['type']) => {
    const prices = guardPrices(orders, symbol, type).map((one) => price(symbol, one))
    return prices.length === 0 ? 'none' : [...new Set(prices)].join(', ')
  }
  const [asked, setAsked] = useState<{ what: 'edit' | 'sell'; symbol: string } | null>(null)
  const about = positions.find(({ symbol }) => symbol === asked?.symbol)
  const columns: Column<Position>[] = [
    { head: 'Pair', keep: true, cell: ({ symbol }) => symbol },
    { head: 'Side', cell: ({ side }) => <SideMark side={side} /> },
    {
      head: 'Size',
      figure: true,
      cell: ({ symbol, quantity }) =>
        formatQuantityAsset(quantity, marketOf(symbol)?.base ?? symbol, marketOf(symbol)?.lotSize),
    },
    { head: 'Entry', figure: true, cell: ({ symbol, entryPrice }) => price(symbol, entryPrice) },
    { head: 'Live price', figure: true, cell: ({ symbol, lastPrice }) => price(symbol, lastPrice) },
    {
      head: 'Worth, USDT',
      figure: true,
      cell: ({ quantity, lastPrice }) => (lastPrice === null ? UNKNOWN : formatMoney(quantity * lastPrice)),
    },
    {
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
      head: 'Stop / target',
      figure: true,
      cell: ({ symbol, isVirtual }) => (
        <Row as="span" wrap gap={1} style={{ display: 'inline-flex', justifyContent: 'flex-end' }}>
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
        </Row>
      ),
    },
    {
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

interface Asked {
  position: Position
  market: Market | undefined
  onClose: () => void
}

/** Sells all of a position of the virtual account at the market, after a question. */
export function SellPositionDialog({ position, market, onClose }: Asked) {
  const { symbol, quantity, lastPrice, lastPriceAt, unrealisedPnl } = position
  const sell = useEndpointMutation(placeOrder, { onSuccess: onClose })
  const key = useRequestKey()
  const amount = formatQuantityAsset(quantity, market?.base ?? symbol, market?.lotSize)
  return (
    <ConfirmDialog
      title={`Sell ${amount}?`}
      text="Virtual account: all of it at the market, with fee and slippage. Its stop and target go."
      subject={
        <Facts
          facts={sellingFacts({
            price: lastPrice,
            priceAt: lastPriceAt,
            quantity,
            pnl: unrealisedPnl,
            tickSize: market?.tickSize,
          })}
        />
      }
      confirmLabel={sell.isPending ? 'Selling…' : `Sell ${amount}`}
      tone="contained"
      onConfirm={() =>
        sell.mutate({
          body: { symbol, side: 'sell', type: 'market', amount: quantity, isVirtual: true },
          idempotencyKey: key,
        })
      }
      onClose={onClose}
      busy={sell.isPending}
      error={failureText(sell.error, 'The server did not answer. Press again: it is sold once.')}
    />
  )
}

/** The price of what stands over a position: of its highest stop, of its lowest target. */
const guardOf = (orders: readonly Order[], symbol: string, type: 'stop' | 'take_profit'): number | null => {
  const prices = guardPrices(orders, symbol, type)
  if (prices.length === 0) return null
  return type === 'stop' ? Math.max(...prices) : Math.min(...prices)
}

/** Puts one stop and one target over all of a position of the virtual account. */
export function EditGuardsDialog({ position, market, onClose, orders }: Asked & { orders: readonly Order[] }) {
  const { symbol, quantity, lastPrice, lastPriceAt, entryPrice } = position
  const save = useEndpointMutation(changeGuards, { onSuccess: onClose })
  const price = (value: number | null) => formatPrice(value, market?.tickSize)
  const form = useContractForm(GuardsDraft, {
    start: { symbol, stopLoss: guardOf(orders, symbol, 'stop'), takeProfit: guardOf(orders, symbol, 'take_profit') },
    check: ({ stopLoss, takeProfit }) => ({
      ...(lastPrice !== null &&
        stopLoss !== null &&
        stopLoss >= lastPrice && { stopLoss: `Must be below the price of ${price(lastPrice)}` }),
      ...(lastPrice !== null &&
        takeProfit !== null &&
        takeProfit <= lastPrice && { takeProfit: `Must be above the price of ${price(lastPrice)}` }),
    }),
    refusal: save.error,
  })
  const wouldMake = (exit: number | null) =>
    exit === null || entryPrice === null
      ? 'None while it is empty'
      : `would make ${formatPnlUnit((exit - entryPrice) * quantity, 'USDT')}, before fees`
  return (
    <FormDialog
      title={`Stop and target of ${formatQuantityAsset(quantity, market?.base ?? symbol, market?.lotSize)}`}
      label={save.isPending ? 'Saving…' : 'Save'}
      isBusy={save.isPending}
      onClose={onClose}
      onBlur={form.onBlur}
      onSubmit={form.submit((body) => save.mutate({ body }))}
    >
      <Text tone="text2">
        They sell all of it, in place of those that are open now. Price {price(lastPrice)}
        {lastPriceAt !== null && (
          <>
            {' '}
            · <MarketAgo ms={lastPriceAt} />
          </>
        )}
      </Text>
      <NumberField
        label="Stop loss"
        labelNote="optional"
        step={market?.tickSize || 1}
        {...form.field('stopLoss')}
        help={wouldMake(form.values.stopLoss)}
      />
      <NumberField
        label="Take profit"
        labelNote="optional"
        step={market?.tickSize || 1}
        {...form.field('takeProfit')}
        help={wouldMake(form.values.takeProfit)}
      />
      {form.failure !== null && (
        <Banner
          kind="error"
          title={errorText(form.failure, 'The server did not answer. Saving again changes nothing twice.')}
        />
      )}
    </FormDialog>
  )
}
