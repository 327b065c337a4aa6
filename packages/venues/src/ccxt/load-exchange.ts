import { existsSync } from 'node:fs'
import { AppError } from '@shapecast/contracts/errors'
import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import type { SandboxCalls } from './dialects/dialect.ts'
import { dialectOf } from './dialects/dialects.ts'

export interface ExchangeSettings {
  readonly timeoutMs?: number | undefined
  /** Needed for orders only. */
  readonly keys?:
    | { readonly apiKey: string; readonly secret: string; readonly password?: string | undefined }
    | undefined
  /** The venue's sandbox instead of its real markets; for orders. */
  readonly testnet?: boolean | undefined
  readonly marketType?: 'spot' | 'futures' | undefined
  /** Addresses instead of the exchange's own, and of its sandbox: those of ccxt's `urls`. */
  readonly urls?: object | undefined
  /** Without the waits between requests that an exchange asks for: of one on this machine. */
  readonly unlimited?: boolean | undefined
}

interface Loaded extends SandboxCalls {
  readonly options: { readonly fetchMarkets?: { types?: unknown } | undefined }
  urls: { readonly api: string | Readonly<Record<string, unknown>> }
  deepExtend<Urls>(urls: Urls, others: object): Urls
  loadHttpProxyAgent(): Promise<unknown>
}

const UNKNOWN = (id: string) =>
  new AppError(
    'bad_input',
    `MARKET: there is no exchange "${id}". Use auto, replay, simulated or one that ccxt knows, such as ${AUTO_EXCHANGE}.`,
  )

/**
 * An exchange object of ccxt's, with its websocket side where it has one. Only the code of this exchange is loaded
 * (66 MB and 230 ms of processor time, against 108 MB and 410 ms for all of them). Throws `bad_input` for a name that ccxt
 * does not know, and for a sandbox that the exchange does not have.
 */
export async function loadExchange(id: string, settings: ExchangeSettings = {}): Promise<object> {
  const Exchange = await classOf(id)
  const { timeoutMs = 10_000, keys, testnet, marketType = 'spot', urls } = settings
  const exchange = new Exchange({
    enableRateLimit: settings.unlimited !== true,
    timeout: timeoutMs,
    newUpdates: true,
    ...keys,
    options: {
      defaultType: marketType === 'spot' ? 'spot' : 'swap',
      ...(marketType === 'spot' ? {} : { defaultSubType: 'linear' }),
      // It costs more weight than for one market, and is asked for on purpose.
      fetchOpenOrders: { warnWithoutSymbol: false },
      // Waiting between connections is the streams' own affair; ccxt would wait up to a minute on top.
      ws: { backoff: { base: 0 } },
      ...dialectOf(id).options,
    },
  }) as Loaded
  loadOnly(exchange, marketType)
  if (testnet === true) enterSandbox(exchange, id)
  if (urls !== undefined) {
    // Over those of the sandbox: what they leave out is never the real market.
    exchange.urls = exchange.deepExtend(exchange.urls, urls)
    // ccxt needs it for addresses without TLS, which only those of settings are.
    await exchange.loadHttpProxyAgent()
  }
  return exchange
}

/** Of an exchange that loads its markets by type, only those of this type: futures may be 2 MB more. */
function loadOnly({ options }: Loaded, marketType: 'spot' | 'futures'): void {
  const types = options.fetchMarkets?.types
  if (options.fetchMarkets === undefined || !Array.isArray(types)) return
  const wanted = marketType === 'spot' ? ['spot'] : ['linear', 'swap']
  const kept = types.filter((type) => wanted.includes(type))
  if (kept.length > 0) options.fetchMarkets.types = kept
}

function enterSandbox(exchange: Loaded, id: string): void {
  const none = (cause?: unknown) =>
    new AppError('bad_input', `TESTNET: ${id} has no sandbox. Leave it off, or use another exchange.`, { cause })
  try {
    const { enterSandbox: enter = () => exchange.setSandboxMode(true) } = dialectOf(id)
    enter(exchange)
  } catch (cause) {
    throw none(cause)
  }
  // Of some exchanges ccxt knows a sandbox for websockets only: their orders would go astray.
  const { api } = exchange.urls
  if (typeof api === 'object' && !Object.entries(api).some(([key, address]) => key !== 'ws' && address !== undefined))
    throw none()
}

type ExchangeClass = new (settings: object) => object

async function classOf(id: string): Promise<ExchangeClass> {
  if (!/^[a-z0-9]{2,40}$/.test(id)) throw UNKNOWN(id)
  // The package exports all of ccxt at once or nothing; its files lie beside its entry.
  const entry = import.meta.resolve('ccxt')
  for (const path of [`./src/pro/${id}.js`, `./src/${id}.js`]) {
    const url = new URL(path, entry)
    if (!existsSync(url)) continue
    const module = (await import(url.href)) as { default: ExchangeClass }
    return module.default
  }
  throw UNKNOWN(id)
}
