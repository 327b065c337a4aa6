import { OrderDraft, placeOrder } from '@shapecast/contracts/accounts'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MarketAgo } from '#entities/markets/market-ago.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import {
  formatMoney,
  formatMoneyUnit,
  formatPnlUnit,
  formatPrice,
  formatQuantity,
  formatQuantityAsset,
} from '#kit/format/money.ts'
import { formatChangePct, formatSharePct } from '#kit/format/percent.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Button } from '#kit/ui/button.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { Figure } from '#kit/ui/figure.tsx'
import { useKeptChoices } from '#kit/ui/kept-choice.ts'
import { NumberField } from '#kit/ui/number-field.tsx'
import { SwitchRow } from '#kit/ui/switch-row.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import { useContractForm } from '#wire/form/use-contract-form.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { type OrderSize, orderEstimate, resultAt, type SizeUnit, sizeBody, type TradedAt } from './order-estimate.ts'
import { OrderQuestion } from './order-question.tsx'
import css from './trade-ticket.module.css'
import { useOwnBalance, useOwnOrders, useOwnPositions } from './use-own-account.ts'

interface Values extends OrderSize {
  unit: SizeUnit
  size: number | null
  side: 'buy' | 'sell'
  type: 'market' | 'limit'
  price: number | null
  stopLoss: number | null
  takeProfit: number | null
}
const START: Values = {
  side: 'buy',
  type: 'market',
  unit: 'base',
  size: null,
  price: null,
  stopLoss: null,
  takeProfit: null,
}
const PLACES = { amount: 'size', quoteAmount: 'size' } as const
const SHARES = [10, 25, 50, 100] as const
const CONFIRMS = ['ask'] as const

export interface TradeTicketProps {
  /** `BTCUSDT` */
  symbol: string
  /** False is an admin's own account at the exchange. */
  isVirtual: boolean
  /** A price that was pressed on a chart, a new object each time: it fills the limit. */
  pressed?: { readonly price: number } | null
}

/** Places an order of the own account: what it is worth, costs and leaves is said before it is sent. */
export function TradeTicket({ symbol, isVirtual, pressed = null }: TradeTicketProps) {
  const market = useMarketOf(symbol)
  const ticker = useTicker(symbol).data
  const balance = useOwnBalance(isVirtual)
  const positions = useOwnPositions(isVirtual).data
  const orders = useOwnOrders(isVirtual).data
  const place = useEndpointMutation(placeOrder)
  const [asks, setAsks] = useKeptChoices('tradeTicket', CONFIRMS, CONFIRMS)
  const [draft, setDraft] = useState<OrderDraft | null>(null)
  const [done, setDone] = useState<string | null>(null)

  const base = market?.base ?? symbol
  const last = ticker?.last ?? null
  const free = balance.data?.available ?? 0
  const aside = (orders ?? [])
    .filter(
      ({ symbol: of, side, type, status }) => of === symbol && side === 'sell' && type === 'limit' && status === 'open',
    )
    .reduce((sum, { amount }) => sum + amount, 0)
  const held = Math.max(0, (positions?.find((each) => each.symbol === symbol)?.quantity ?? 0) - aside)
  const atOf = ({ type, price }: Pick<Values, 'type' | 'price'>): TradedAt => ({
    price: (type === 'limit' ? price : last) ?? 0,
    lotSize: market?.lotSize ?? 0,
    free,
    held,
    isVirtual,
  })
  const written = (price: number) => formatPrice(price, market?.tickSize)

  const check = (values: Values): Partial<Record<keyof Values, string>> => {
    const found = orderEstimate(values, atOf(values))
    const wrong: Partial<Record<keyof Values, string>> = {}
    if (balance.data !== undefined && positions !== undefined && found !== null && found.amount > found.mostAmount)
      wrong.size =
        values.side === 'buy'
          ? `Must be at most ${formatQuantityAsset(found.mostAmount, base, market?.lotSize)}: ${formatMoneyUnit(free, 'USDT')} are free, fee and slippage come on top`
          : `Must be at most ${formatQuantityAsset(found.mostAmount, base, market?.lotSize)}: that is what can be sold`
    if (values.type === 'limit' || values.side === 'sell' || last === null) return wrong
    if (values.stopLoss !== null && values.stopLoss >= last)
      wrong.stopLoss = `Must be below the price of ${written(last)}`
    if (values.takeProfit !== null && values.takeProfit <= last)
      wrong.takeProfit = `Must be above the price of ${written(last)}`
    return wrong
  }
  const form = useContractForm<typeof OrderDraft, Values, keyof Values & string>(OrderDraft, {
    start: START,
    places: PLACES,
    check,
    refusal: place.error,
    toBody: (values) => ({
      symbol,
      isVirtual,
      side: values.side,
      type: values.type,
      ...sizeBody(values, atOf(values)),
      ...(values.type === 'limit' && values.price !== null && { price: values.price }),
      ...(takesGuards(values) && values.stopLoss !== null && { stopLoss: values.stopLoss }),
      ...(takesGuards(values) && isVirtual && values.takeProfit !== null && { takeProfit: values.takeProfit }),
    }),
  })
  const { values, change } = form
  const { side, type } = values
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press fills it once
  useEffect(() => {
    if (pressed !== null) change({ type: 'limit', price: pressed.price })
  }, [pressed])
  const key = useRequestKey(JSON.stringify([values, symbol, isVirtual]))

  const found = orderEstimate(values, atOf(values))
  const verb = side === 'buy' ? 'Buy' : 'Sell'
  const title = found === null ? verb : `${verb} ${formatQuantityAsset(found.amount, base, market?.lotSize)}`
  const mustAsk = !isVirtual || asks.includes('ask')
  const send = (body: OrderDraft) =>
    place.mutate(
      { body, idempotencyKey: key },
      {
        onSuccess: ({ status, amount, average, side: made }) => {
          const what = `${formatQuantityAsset(amount, base, market?.lotSize)}`
          setDone(
            status === 'filled' && average !== null
              ? `${made === 'buy' ? 'Bought' : 'Sold'} ${what} at ${written(average)}.`
              : `The order of ${what} is ${status}.`,
          )
          setDraft(null)
          form.reset({ ...START, side, type, unit: values.unit })
        },
      },
    )
  const results: (readonly ['stopLoss' | 'takeProfit', string, 'stop' | 'target'])[] = [
    ['stopLoss', 'Stop loss', 'stop'],
    ...(isVirtual ? [['takeProfit', 'Take profit', 'target'] as const] : []),
  ]
  const wouldMake = (exit: number | null, by: 'stop' | 'target') =>
    exit === null || found === null || !isVirtual ? null : formatPnlUnit(resultAt(found, exit, by), 'USDT')
  const facts: Fact[] = [
    {
      label: type === 'market' ? 'Price, about' : 'Price',
      value: (
        <>
          {type === 'market' ? formatPrice(last, market?.tickSize) : formatPrice(values.price, market?.tickSize)}
          {type === 'market' && ticker !== undefined && (
            <Text as="span" size="small" tone="text2">
              {' '}
              · <MarketAgo ms={ticker.timestamp} />
            </Text>
          )}
        </>
      ),
    },
    { label: 'Worth', value: formatMoneyUnit(found?.worth, 'USDT') },
    ...(isVirtual
      ? [
          ...(type === 'market' ? [{ label: 'Slippage, about', value: formatMoneyUnit(found?.slippage, 'USDT') }] : []),
          { label: 'Fee', value: formatMoneyUnit(found?.fee, 'USDT') },
          { label: side === 'buy' ? 'It costs' : 'It brings', value: formatMoneyUnit(found?.total, 'USDT') },
          ...(side === 'buy'
            ? [{ label: 'Free afterwards', value: formatMoneyUnit(found && free - found.total, 'USDT') }]
            : []),
        ]
      : [{ label: 'Fee', value: 'as the exchange takes it' }]),
  ]
  const equity = balance.data?.equity ?? null
  return (
    <div className={css.ticket}>
      <QueryBoundary reply={balance} title="The account could not be loaded" />
      <div className={css.money}>
        <div>
          <Figure label="Equity" value={formatMoney(equity)} unit="USDT" />
          <Note tone="text2">Balance {formatMoney(balance.data?.balance)}</Note>
        </div>
        <div>
          <Figure label="Free to use" value={formatMoney(balance.data?.available)} unit="USDT" />
          <Note tone="text2">{formatMoney(balance.data?.reserved)} in orders</Note>
        </div>
      </div>
      <form className={css.ticket} onSubmit={form.submit(mustAsk ? setDraft : send)} onBlur={form.onBlur} noValidate>
        <ToggleGroup
          label="Side"
          fullWidth
          value={side}
          onChange={(next) => change({ side: next })}
          choices={[
            {
              value: 'buy',
              label: (
                <>
                  <ArrowUp size={14} aria-hidden /> Buy
                </>
              ),
            },
            {
              value: 'sell',
              label: (
                <>
                  <ArrowDown size={14} aria-hidden /> Sell
                </>
              ),
            },
          ]}
        />
        <ToggleGroup
          label="Order type"
          fullWidth
          value={type}
          onChange={(next) => change({ type: next, ...(next === 'limit' && values.price === null && { price: last }) })}
          choices={[
            { value: 'market', label: 'Market' },
            { value: 'limit', label: 'Limit' },
          ]}
        />
        {type === 'limit' && (
          <NumberField
            label="Price"
            unit="USDT"
            step={market?.tickSize || 1}
            {...form.field('price')}
            help={
              last !== null && values.price !== null && values.price > 0
                ? `${formatChangePct((100 * (values.price - last)) / last)} from the live price`
                : 'Press a price on the chart to fill it in'
            }
          />
        )}
        <NumberField
          label="Size"
          unit={{ base, quote: 'USDT', pct: '%' }[values.unit]}
          step={values.unit === 'base' ? market?.lotSize || 1 : 1}
          {...form.field('size')}
          help={found === null ? undefined : sizeWords(found.amount, found.worth)}
        />
        <ToggleGroup
          label="Size in"
          size="small"
          fullWidth
          value={values.unit}
          onChange={(unit) => change({ unit, size: null })}
          choices={[
            { value: 'base', label: base },
            { value: 'quote', label: 'USDT' },
            { value: 'pct', label: '%' },
          ]}
        />
        <div className={css.shares}>
          {SHARES.map((share) => (
            <Button key={share} size="small" onClick={() => change({ unit: 'pct', size: share })}>
              {share}%
            </Button>
          ))}
        </div>
        {takesGuards(values) && (
          <div className={css.guards}>
            {results.map(([name, label, by]) => {
              const result = wouldMake(values[name], by)
              return (
                <NumberField
                  key={name}
                  label={label}
                  labelNote="optional"
                  step={market?.tickSize || 1}
                  {...form.field(name)}
                  help={result === null ? undefined : `would make ${result}`}
                />
              )
            })}
          </div>
        )}
        <Facts facts={facts} />
        {form.failure !== null && draft === null && <Banner kind="error" title={errorText(form.failure, LOST)} />}
        {done !== null && (
          <Text size="small" role="status">
            {done}
          </Text>
        )}
        <Button type="submit" variant="contained" fullWidth {...busyButton(place.isPending)}>
          {place.isPending ? 'Sending…' : type === 'market' ? title : 'Place the order'}
        </Button>
        {isVirtual && (
          <SwitchRow
            title="Ask before it is sent"
            text="With real money it always asks."
            checked={asks.includes('ask')}
            onChange={(isOn) => setAsks('ask', isOn)}
          />
        )}
        <Note tone="text2">
          {isVirtual
            ? 'Virtual money: nothing goes to an exchange.'
            : 'Real money: the order goes to your account at the exchange.'}
        </Note>
      </form>
      {draft !== null && (
        <OrderQuestion
          title={title}
          draft={draft}
          facts={[
            ...facts,
            ...results.flatMap(([name, label, by]) =>
              draft[name] === undefined
                ? []
                : [{ label, value: [written(draft[name]), wouldMake(draft[name], by)].filter(Boolean).join(' · ') }],
            ),
          ]}
          price={last}
          tickSize={market?.tickSize}
          isBusy={place.isPending}
          error={place.error === null ? undefined : errorText(place.error, LOST)}
          onSend={() => send(draft)}
          onClose={() => setDraft(null)}
        />
      )}
    </div>
  )

  function sizeWords(amount: number, worth: number): string {
    const share = equity !== null && equity > 0 ? ` · ${formatSharePct((100 * worth) / equity)} of the equity` : ''
    const coins = values.unit === 'base' ? '' : `${formatQuantity(amount, market?.lotSize)} ${base}, `
    return `${coins}≈ ${formatMoneyUnit(worth, 'USDT')}${share}`
  }
}

const LOST = 'The server did not answer. Send it again: the same order is made once.'
const takesGuards = ({ side, type }: Pick<Values, 'side' | 'type'>) => side === 'buy' && type === 'market'
