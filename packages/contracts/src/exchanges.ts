/**
 * `beside`: as an order of its own beside the stop-loss, where both are reduce-only. `list`: with the stop-loss as one order
 * list, in which each cancels the other. `alone`: only without a stop-loss, which locks the coins.
 */
export type TargetOrders = 'beside' | 'list' | 'alone'

/** What one market of an exchange can do for real orders. */
export interface ExchangeMarket {
  /** Stop orders that wait at the exchange and then trade at the market: they work while we do not run. */
  readonly stops: boolean
  /** How a take profit waits at the exchange. Where it does not it is watched by us, once a second while we run. */
  readonly targets: TargetOrders
  /** Whether there is a sandbox, for TESTNET. */
  readonly sandbox: boolean
  /** The exchange's own names of the rights that a key needs. */
  readonly keyRights: readonly string[]
  /** Orders of a symbol that may wait in an account at once, of them stops and take profits, where its markets do not say. */
  readonly mostWaiting?: { readonly conditional: number; readonly all: number }
  /** Futures: the only way in which positions are held here. */
  readonly margin?: 'isolated'
}

/** What an exchange can do for real orders. Prices and candles come from any exchange that ccxt knows. */
export interface Exchange {
  /** ccxt's name, as in MARKET. */
  readonly id: string
  readonly name: string
  /** Null where no real orders go there. */
  readonly spot: ExchangeMarket | null
  /** For bots; orders by hand are spot. */
  readonly futures: ExchangeMarket | null
  /** Ids that we give orders: what they may look like, and whether one may come again. */
  readonly clientOrderId: { readonly form: RegExp; readonly unique: 'always' | 'while_open' }
  /** How long the exchange takes what was signed, ms: an order that is held up for longer is refused by it. */
  readonly signedForMs: number
  /** How many requests it takes, in its own measure. ccxt keeps to it. */
  readonly rateLimit: string
  /** Whether a key has a passphrase in addition to its secret. */
  readonly passphrase: boolean
  /** What it calls the right to withdraw, with which a key is refused. */
  readonly withdrawRight: string
  /** Where keys of its sandbox are made. */
  readonly sandboxKeys: string
}

/** The exchange that `MARKET=auto` asks first. */
export const AUTO_EXCHANGE = 'binance'

/**
 * The exchanges that real orders may go to. One is let in where it finds an order by our id, takes what was signed for a
 * known time only, and has been tested with every fault that can happen on the way: see docs/decisions/0014.
 */
export const EXCHANGES: readonly Exchange[] = [
  {
    id: 'binance',
    name: 'Binance',
    spot: {
      stops: true,
      targets: 'list',
      sandbox: true,
      keyRights: ['Enable Reading', 'Enable Spot & Margin Trading'],
    },
    futures: {
      stops: true,
      targets: 'beside',
      sandbox: true,
      keyRights: ['Enable Reading', 'Enable Futures'],
      margin: 'isolated',
    },
    clientOrderId: { form: /^[.A-Z:/a-z0-9_-]{1,36}$/, unique: 'while_open' },
    signedForMs: 10_000,
    rateLimit: 'a weight of 6,000 a minute on spot, of 2,400 on futures',
    passphrase: false,
    withdrawRight: 'Enable Withdrawals',
    sandboxKeys: 'https://demo.binance.com/en/my/settings/api-management',
  },
  {
    id: 'bybit',
    name: 'Bybit',
    spot: {
      stops: true,
      targets: 'alone',
      sandbox: true,
      keyRights: ['Read-Write', 'Unified Trading: Spot'],
      // https://bybit-exchange.github.io/docs/v5/order/create-order, "Open orders up limit"
      mostWaiting: { conditional: 30, all: 500 },
    },
    futures: null,
    clientOrderId: { form: /^[A-Za-z0-9_-]{1,36}$/, unique: 'always' },
    signedForMs: 5_000,
    rateLimit: '600 requests in 5 s, of them 20 orders a second',
    passphrase: false,
    withdrawRight: 'Assets: Withdrawal',
    sandboxKeys: 'https://testnet.bybit.com/app/user/api-management',
  },
]

export type RealMarket = 'spot' | 'futures'

/** What an exchange can do for real orders; undefined where none go there. */
export const exchangeOf = (id: string): Exchange | undefined => EXCHANGES.find((exchange) => exchange.id === id)

/** An exchange's name as people write it. */
export const exchangeName = (id: string): string => exchangeOf(id)?.name ?? id.charAt(0).toUpperCase() + id.slice(1)

/** The exchanges that take real orders of a market, in words: 'Binance and Bybit'. */
export const exchangesInWords = (market: RealMarket = 'spot'): string =>
  EXCHANGES.filter((exchange) => exchange[market] !== null)
    .map(({ name }) => name)
    .join(' and ')

/** Whether a take profit waits at the exchange, `withStop` beside a stop-loss. Where it does not it is watched by us. */
export function takesTargets(id: string, market: RealMarket, withStop: boolean): boolean {
  const how = exchangeOf(id)?.[market]?.targets
  return how !== undefined && (how !== 'alone' || !withStop)
}
