import { OrderDraft, placeOrder } from '@shapecast/contracts/accounts'
import { useEffect, useState } from 'react'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { formatMoneyUnit, formatPrice, formatQuantity, formatQuantityAsset } from '#kit/format/money.ts'
import { formatSharePct } from '#kit/format/percent.ts'
import { useKeptChoices } from '#kit/kept.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation } from '#wire/calls/use-endpoint.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import {
  type OrderEstimate,
  type OrderSize,
  orderEstimate,
  resultAt,
  type SizeUnit,
  sizeBody,
  type TradedAt,
} from './order-estimate.ts'
import { useOpenOrders, useOwnBalance, useOwnPositions } from './use-own-account.ts'

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
const CONFIRMS = ['ask'] as const

/** Stop and target of a purchase at the market. */
const takesGuards = ({ side, type }: Pick<Values, 'side' | 'type'>) => side === 'buy' && type === 'market'

export interface TradeTicketProps {
  /** `BTCUSDT` */
  symbol: string
  /** False is an admin's own account at the exchange. */
  isVirtual: boolean
  /** A price that was pressed on a chart, a new object each time: it fills the limit. */
  pressed?: { readonly price: number } | null
}

/** What is typed into a ticket, what that comes to at the price now, and sending it once. */
export function useTradeTicket({ symbol, isVirtual, pressed = null }: TradeTicketProps) {
  const market = useMarketOf(symbol)
  const ticker = useTicker(symbol).data
  const balance = useOwnBalance(isVirtual)
  const positions = useOwnPositions(isVirtual).data
  const orders = useOpenOrders(isVirtual).data
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
  const guards: (readonly ['stopLoss' | 'takeProfit', string, 'stop' | 'target'])[] = [
    ['stopLoss', 'Stop loss', 'stop'],
    ...(isVirtual ? [['takeProfit', 'Take profit', 'target'] as const] : []),
  ]
  /** `would lose 32.96 USDT` */
  function wouldMake(exit: number | null, by: 'stop' | 'target'): string | null {
    if (exit === null || found === null || !isVirtual) return null
    const result = resultAt(found, exit, by)
    return `would ${result < 0 ? 'lose' : 'earn'} ${formatMoneyUnit(Math.abs(result), 'USDT')}`
  }

  const equity = balance.data?.equity ?? null
  function sizeWords({ amount, worth, total }: OrderEstimate): string {
    const shares = [
      equity !== null && equity > 0 ? `${formatSharePct((100 * worth) / equity)} of the equity` : null,
      side === 'buy' && free > 0 && values.unit !== 'pct'
        ? `${formatSharePct((100 * total) / free)} of what is free`
        : null,
    ].filter((share) => share !== null)
    const coins = values.unit === 'base' ? '' : `${formatQuantity(amount, market?.lotSize)} ${base}, `
    return [`${coins}≈ ${formatMoneyUnit(worth, 'USDT')}`, shares.join(', ')].filter(Boolean).join(' · ')
  }
  const isThere =
    last !== null && values.price !== null && (side === 'buy' ? values.price >= last : values.price <= last)
  /** What becomes of a limit order; null of others. */
  const waits =
    type === 'market' || values.price === null || !(values.price > 0)
      ? null
      : isThere
        ? 'The price is there already: the order is filled at once.'
        : `Waits until the price ${side === 'buy' ? 'falls' : 'rises'} to ${written(values.price)}, or until you cancel it.`

  return {
    isVirtual,
    market,
    ticker,
    balance,
    base,
    last,
    free,
    form,
    found,
    title,
    sizeWords,
    /** The largest size, where more is asked for than that; base. */
    most:
      found !== null &&
      found.mostAmount > 0 &&
      found.amount > found.mostAmount &&
      form.field('size').error !== undefined
        ? found.mostAmount
        : null,
    waits,
    written,
    /** The prices at which a purchase is sold again, by field. */
    guards: takesGuards(values) ? guards : [],
    wouldMake,
    place,
    /** The order that waits for a yes. */
    draft,
    setDraft,
    /** What became of the last one. */
    done,
    asks: asks.includes('ask'),
    setAsks: (isOn: boolean) => setAsks('ask', isOn),
    send,
    submit: form.submit(mustAsk ? setDraft : send),
  }
}
export type TradeTicketState = ReturnType<typeof useTradeTicket>
