import { z } from 'zod'
import { tradingEndpoint } from './endpoint.ts'
import { AUTO_EXCHANGE } from './exchanges.ts'
import { JobStatus, leftS } from './job-status.ts'
import { Timeframe } from './timeframes.ts'
import { epochMs, quote } from './units.ts'

/** What fills the candles table: a ccxt exchange id, `replay` (imported history) or `simulated`. */
export const VenueName = z
  .string()
  .regex(/^[a-z0-9_-]{1,40}$/, `A venue is named in lower case, such as ${AUTO_EXCHANGE}`)

/** `BTCUSDT`, without slashes. */
/** `BTCUSDT`; `btc/usdt` is understood as that. */
export const SymbolId = z
  .string()
  .trim()
  .toUpperCase()
  .overwrite((symbol) => symbol.replace('/', ''))
  .regex(/^[A-Z0-9]{2,30}$/, 'A symbol must be letters and digits, such as BTCUSDT')

/** [open time in ms UTC, open, high, low, close, volume in base] */
export const CandleRow = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])
export type CandleRow = z.infer<typeof CandleRow>

/** A candle that a caller sends: a row, or the same by its names. */
export const SentCandle = z.union([
  CandleRow,
  z
    .object({
      timestamp: epochMs(),
      open: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
      volume: z.number(),
    })
    .transform(
      ({ timestamp, open, high, low, close, volume }): CandleRow => [timestamp, open, high, low, close, volume],
    ),
])

export const MarketKind = z.enum(['live', 'replay', 'simulated'])
export type MarketKind = z.infer<typeof MarketKind>
export const Health = z.object({
  status: z.enum(['ok', 'error']),
  testnet: z.boolean(),
  venue: VenueName,
  /** Whether the prices are an exchange's now, imported history, or made up. Every price on a screen says so. */
  market: MarketKind,
  /** The market's clock in ms: now where it is live or simulated, the replayed time where it is a replay. */
  marketTime: epochMs().nullable(),
  /** Seconds of the market's clock a second: 1, or as a replay is set; 0 where it stands still. */
  marketSpeed: z.number().optional(),
  websocket: z.object({ public: z.boolean(), private: z.boolean() }),
  /** How far the newest message of the market lies behind now, in ms; null while no feed runs. */
  feedLagMs: z.number().nullable().optional(),
  /** The venue's clock minus ours, in ms; null for a venue without a clock. */
  clockSkewMs: z.number().nullable().optional(),
})
export type Health = z.infer<typeof Health>

export const Market = z.object({
  id: SymbolId,
  /** `BTC/USDT` */
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  active: z.boolean(),
  /** Smallest price step, in quote. */
  tickSize: z.number(),
  /** Smallest quantity step, in base. */
  lotSize: z.number(),
  /** Smallest order value, in quote. */
  minNotional: quote(),
})
export type Market = z.infer<typeof Market>

export const Ticker = z.object({
  symbol: SymbolId,
  last: z.number(),
  /** Over 24 hours, in quote and in percent; null where the candles do not reach that far. */
  change: z.number().nullable(),
  percentage: z.number().nullable(),
  timestamp: epochMs(),
})
export type Ticker = z.infer<typeof Ticker>

export const health = tradingEndpoint('GET /health', {
  summary: '200 only while the database is migrated and takes changes; else 503 within two seconds, with the reason.',
  access: 'public',
  reply: Health,
  errors: ['unavailable'],
})

export const markets = tradingEndpoint('GET /api/markets', {
  publicPath: '/public/markets',
  summary: "The venue's markets with their lot, tick and minimum notional.",
  reply: z.array(Market),
  errors: ['venue_unreachable'],
})

export const ticker = tradingEndpoint('GET /api/ticker/:symbol', {
  publicPath: '/public/ticker/:symbol',
  summary: 'Last price and its change over 24 hours.',
  params: z.object({ symbol: SymbolId }),
  reply: Ticker,
  errors: ['unknown_symbol', 'no_candles', 'venue_unreachable'],
})

export const ohlcv = tradingEndpoint('GET /api/ohlcv/:symbol', {
  publicPath: '/public/ohlcv/:symbol',
  summary: 'The newest candles, oldest first, as [timestamp, open, high, low, close, volume].',
  params: z.object({ symbol: SymbolId }),
  query: z.object({
    timeframe: Timeframe.default('1h'),
    limit: z.coerce.number().int().min(1).max(10_000).default(100),
    /** Only candles that opened before this time, in ms. */
    before: z.coerce.number().int().nonnegative().optional(),
  }),
  reply: z.array(CandleRow),
  errors: ['unknown_symbol', 'venue_unreachable'],
})

const Gap = z.object({ from: epochMs(), to: epochMs(), missing: z.number().int() })
export const ImportReport = z.object({
  file: z.string(),
  symbol: SymbolId,
  timeframe: Timeframe,
  venue: VenueName,
  /** `mixed` where the files of one archive differ. */
  dialect: z.enum(['shapecast', 'binance', 'cryptodatadownload', 'mixed', 'unknown']),
  /** The unit in which the file writes its times. */
  timeUnit: z.enum(['s', 'ms', 'us', 'mixed', 'unknown']),
  accepted: z.boolean(),
  /** Data rows in the file, headers left out. */
  rowsRead: z.number().int(),
  /** Candles that are new in the database. */
  taken: z.number().int(),
  /** Rows that repeat an earlier row of the file to the digit. */
  duplicates: z.number().int(),
  /** Candles that the database already had with the same values. */
  alreadyStored: z.number().int(),
  /** Candles that the database has with other values. */
  differing: z.number().int(),
  first: z.number().nullable(),
  last: z.number().nullable(),
  gapCount: z.number().int(),
  missingCandles: z.number().int(),
  /** The first 1000 gaps: open times of the first and the last missing candle. */
  gaps: z.array(Gap),
  refusedCount: z.number().int(),
  /** The first 100 refused rows. Line 1 is the first line of the file. */
  refused: z.array(
    z.object({
      line: z.number().int(),
      reason: z.string(),
      text: z.string(),
      /** The file within the archive, if there are several. */
      entry: z.string().optional(),
    }),
  ),
  /** Why the file as a whole was refused. */
  problems: z.array(z.string()),
})
export type ImportReport = z.infer<typeof ImportReport>

/** What is stored of each series, so that a person can see where a backtest can run. */
export const Series = z.object({
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  candles: z.number().int(),
  first: z.number(),
  last: z.number(),
  gapCount: z.number().int(),
  missingCandles: z.number().int(),
})
export type Series = z.infer<typeof Series>

export const seriesList = tradingEndpoint('GET /api/candles/series', {
  publicPath: '/public/candles/series',
  summary: 'The stored series of candles of this venue: count, range and gaps.',
  reply: z.array(Series),
})

export const importCandles = tradingEndpoint('POST /api/candles/import', {
  summary:
    'Import a file of candles (CSV, .gz or .zip). All of it is taken, or nothing: the report says which (`accepted`) and why.',
  access: 'manager',
  touches: [seriesList, markets],
  query: z.object({
    symbol: SymbolId,
    timeframe: Timeframe,
    venue: VenueName.optional(),
    skipBadRows: z.stringbool().default(false),
    replace: z.stringbool().default(false),
  }),
  bodyKind: 'multipart',
  reply: ImportReport,
  errors: ['payload_too_large'],
})

export const DownloadJob = z.object({
  _id: z.uuid(),
  status: JobStatus,
  venue: VenueName,
  symbol: SymbolId,
  timeframe: Timeframe,
  /** Open times in ms, both included. */
  from: epochMs(),
  to: epochMs(),
  /** Everything before this open time has been asked for; the download goes on here. */
  resumeAt: epochMs(),
  /** Candles that the venue sent so far, those that were stored already included. */
  candles: z.number().int(),
  /** Share of the range that has been asked for, 0 to 1. */
  progress: z.number(),
  leftS,
  error: z.string().nullable(),
  createdAt: epochMs(),
})
export type DownloadJob = z.infer<typeof DownloadJob>

export const downloadCandles = tradingEndpoint('POST /api/candles/download', {
  summary:
    'Fetch the history of a symbol from the exchange, at the speed that it allows. Queues a job; the same range asked for again goes on where it stopped.',
  access: 'manager',
  touches: [],
  body: z
    .object({
      symbol: SymbolId,
      timeframe: Timeframe.default('1h'),
      from: epochMs().int().nonnegative(),
      /** Up to the last closed candle where it is left out. */
      to: epochMs().int().nonnegative().optional(),
    })
    .refine((r) => r.to === undefined || r.from < r.to, { path: ['to'], message: 'to must be later than from' }),
  reply: z.object({ jobId: z.uuid() }),
  errors: ['unknown_symbol', 'unprocessable', 'venue_unreachable'],
})

export const downloadJob = tradingEndpoint('GET /api/candles/download/:id', {
  summary: 'How far a download is.',
  access: 'manager',
  reply: DownloadJob,
})
