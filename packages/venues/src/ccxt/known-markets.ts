import { AppError } from '@shapecast/contracts/errors'
import type { Market } from '@shapecast/contracts/market'
import type { ExchangeCalls, ExchangeMarket } from './calls/exchange-calls.ts'
import type { VenueAsker } from './venue-asker.ts'

export type MarketType = 'spot' | 'futures'

const KEPT_MS = 15 * 60_000
const OUR_ID = /^[A-Z0-9]{2,30}$/

/**
 * The markets of one type at an exchange, by our ids (`BTCUSDT` for `BTC/USDT` and `BTC/USDT:USDT`). Asks the exchange once and
 * keeps the answer for a quarter of an hour.
 */
export function createKnownMarkets(deps: {
  exchange: ExchangeCalls
  ask: VenueAsker
  now: () => number
  type: MarketType
}) {
  const { exchange, ask, now, type } = deps
  let kept: { at: number; byId: Promise<Map<string, ExchangeMarket>> } | undefined

  function byId(reload = false): Promise<Map<string, ExchangeMarket>> {
    if (!reload && kept !== undefined && now() - kept.at < KEPT_MS) return kept.byId
    // ccxt keeps what it once loaded, failures included, unless it is told to load again.
    const again = reload || kept !== undefined
    const markets = ask(() => exchange.loadMarkets(again)).then((all) => indexed(Object.values(all), type))
    const mine = { at: now(), byId: markets }
    kept = mine
    // A failure is for those who asked; the next one asks again.
    markets.catch(() => {
      if (kept === mine) kept = { at: Number.NEGATIVE_INFINITY, byId: markets }
    })
    return markets
  }

  const list = (markets: Map<string, ExchangeMarket>): Market[] =>
    [...markets].map(([id, m]) => ({
      id,
      symbol: m.symbol,
      base: m.base,
      quote: m.quote,
      active: m.active !== false,
      tickSize: stepOf(m.precision.price, exchange.precisionMode),
      lotSize: stepOf(m.precision.amount, exchange.precisionMode),
      minNotional: m.limits.cost?.min ?? 0,
    }))

  return {
    /** Throws `unknown_symbol`. */
    async of(symbol: string): Promise<ExchangeMarket> {
      const market = (await byId()).get(symbol)
      if (market !== undefined) return market
      throw new AppError('unknown_symbol', `${exchange.id} has no ${type} market ${symbol}.`)
    },
    all: async () => list(await byId()),
    /** Asks again. */
    refresh: async () => list(await byId(true)),
  }
}
export type KnownMarkets = ReturnType<typeof createKnownMarkets>

function indexed(markets: readonly ExchangeMarket[], type: MarketType): Map<string, ExchangeMarket> {
  const byId = new Map<string, ExchangeMarket>()
  for (const market of markets) {
    const wanted = type === 'spot' ? market.spot === true : market.swap === true && market.linear === true
    const id = market.base + market.quote
    if (!wanted || !OUR_ID.test(id)) continue
    // Where two share an id (one of them delisted), the active one has it.
    if (byId.get(id)?.active !== true || market.active === true) byId.set(id, market)
  }
  return byId
}

/** A precision of ccxt's as the step itself. Significant digits have no step: the finest is taken. */
const stepOf = (precision: number | undefined, mode: number | undefined): number =>
  precision === undefined || mode === 3 ? 1e-8 : mode === 4 ? precision : Number((10 ** -precision).toFixed(precision))
