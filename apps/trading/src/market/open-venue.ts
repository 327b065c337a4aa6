import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import { VenueName } from '@shapecast/contracts/market'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { keep, keepFirst, readKept } from '@shapecast/platform/kept'
import { exchangeAnswers, openExchange } from '@shapecast/venues/ccxt/live-markets'
import type { LiveVenue } from '@shapecast/venues/live-venue'
import { continuedPlan } from '@shapecast/venues/replay/replay-clock'
import { createReplayVenue } from '@shapecast/venues/replay/replay-venue'
import { createSimulatedVenue } from '@shapecast/venues/simulated/simulated-venue'
import type { Venue } from '@shapecast/venues/venue'
import { z } from 'zod'
import { DEFAULT_IMPORT_VENUE } from './import-file.ts'
import { createLiveMarket, type LiveMarketDeps } from './live-market.ts'
import { seriesOfSymbol, seriesOfVenue } from './series-store.ts'

/** The settings that decide the market; see docs/operations. */
export interface MarketSettings {
  /** `auto`, `replay`, `simulated` or an exchange's id. */
  readonly market: string
  /** Addresses in place of the exchange's own, in the form of ccxt's `urls`. */
  readonly marketUrls?: object | null
  readonly testnet: boolean
  readonly replayFrom: number | null
  readonly replaySpeed: number
}

/** What is needed of the real exchanges. */
export interface LiveMarkets {
  /** Whether the exchange answers within `timeoutMs`. */
  answers(id: string, timeoutMs: number, options: { urls?: object }): Promise<boolean>
  /** Throws `bad_input` if there is no exchange of that name. */
  open(
    id: string,
    options: { now: () => number; warn: (text: string) => void; urls?: object },
  ): Promise<Venue | LiveVenue>
}

interface VenueDeps extends Omit<LiveMarketDeps, 'source' | 'now'> {
  /** The real exchanges, where they are not those of ccxt. */
  readonly live?: LiveMarkets | undefined
  readonly now?: (() => number) | undefined
}

const AUTO_KEY = 'market.auto'
/** Null where nothing of that form was written down. */
const Chosen = VenueName.nullable().catch(null)
const AUTO_PATIENCE_MS = 5_000

/**
 * The venue of this installation. `auto` asks at the very first start whether `AUTO_EXCHANGE` answers, takes the simulated
 * market where it does not, and keeps that choice for every later start.
 */
export async function openVenue(settings: MarketSettings, deps: VenueDeps): Promise<Venue> {
  const { marketUrls = null } = settings
  const at = marketUrls === null ? {} : { urls: marketUrls }
  const name = settings.market === 'auto' ? await chosenByItself(deps, at) : settings.market
  const now = deps.now ?? Date.now
  switch (name) {
    case 'simulated':
      return createSimulatedVenue({ now })
    case 'replay':
      return openReplay(settings, deps, now)
    default:
      return openLive(name, at, deps, now)
  }
}

/** The name of the market that `openVenue` gives, without asking any; null where `auto` has not chosen yet. */
export const marketNameOf = async (settings: Pick<MarketSettings, 'market'>, orm: Orm): Promise<string | null> =>
  settings.market === 'auto' ? Chosen.parse(await readKept(orm, AUTO_KEY)) : settings.market

async function openLive(name: string, at: { urls?: object }, deps: VenueDeps, now: () => number): Promise<Venue> {
  const warn = (text: string) => deps.log.warn({ market: name }, text)
  const source = await liveOf(deps).open(name, { now, warn, ...at })
  return 'history' in source ? createLiveMarket({ ...deps, source, now }) : source
}

const liveOf = (deps: VenueDeps): LiveMarkets => deps.live ?? { answers: exchangeAnswers, open: openExchange }

async function chosenByItself(deps: VenueDeps, at: { urls?: object }): Promise<string> {
  const { db, log } = deps
  const kept = Chosen.parse(await readKept(db.orm, AUTO_KEY))
  if (kept !== null) return kept
  const choice = (await liveOf(deps).answers(AUTO_EXCHANGE, AUTO_PATIENCE_MS, at)) ? AUTO_EXCHANGE : 'simulated'
  await keepFirst(db.orm, AUTO_KEY, choice)
  const decided = Chosen.parse(await readKept(db.orm, AUTO_KEY)) ?? choice
  log.info({ market: decided }, `market chosen for this installation: ${decided} (MARKET overrides it)`)
  return decided
}

const Plan = z
  .object({ fromMs: z.number().nullable(), speed: z.number(), startedAtMs: z.number() })
  .nullable()
  .catch(null)

async function openReplay(settings: MarketSettings, deps: VenueDeps, now: () => number): Promise<Venue> {
  const { db, stored } = deps
  const name = DEFAULT_IMPORT_VENUE
  const key = `market.replay.${name}`
  const wanted = { fromMs: await startOf(settings, db, name), speed: settings.replaySpeed }
  const kept = Plan.parse(await readKept(db.orm, key))
  const plan = continuedPlan(kept, wanted, now())
  if (plan !== kept) await keep(db.orm, key, plan)
  return createReplayVenue({
    name,
    plan,
    now,
    history: {
      series: (symbol) => (symbol === undefined ? seriesOfVenue(db.orm, name) : seriesOfSymbol(db.orm, name, symbol)),
      candles: (symbol, timeframe, query) => stored.candles(name, symbol, timeframe, query),
    },
  })
}

/** A replay that runs needs a start: REPLAY_FROM, or the first candle that is there. */
async function startOf(settings: MarketSettings, db: Database, name: string): Promise<number | null> {
  if (settings.replayFrom !== null || settings.replaySpeed === 0) return settings.replayFrom
  const series = await seriesOfVenue(db.orm, name)
  return series.length === 0 ? null : Math.min(...series.map((s) => s.firstTs))
}
