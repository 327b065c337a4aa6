import type { CandleRow } from '@shapecast/contracts/market'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import type { Queue } from '@shapecast/platform/queue'
import type { OpenaiSettings } from '@shapecast/platform/settings'
import type { Venue } from '@shapecast/venues/venue'
import { createTraders } from '../bots/bots-on-model.ts'
import { createJobs } from '../ground/jobs/jobs.ts'
import type { EventHub } from '../market/feed/event-hub.ts'
import { createStoredFunding } from '../market/funding/funding-store.ts'
import { marketOf } from '../market/series-market.ts'

export interface TradingDeps {
  db: Database
  queue: Queue
  venue: Venue
  log: Logger
  /** Time in ms. */
  now?: (() => number) | undefined
  /** Encrypts API keys of the exchange; without it there are no real orders. */
  secretKey?: string | undefined
  /** Whether real orders go to the exchange's sandbox; they do unless this is false. */
  testnet?: boolean | undefined
  /** Addresses in place of the sandbox's own, in the form of ccxt's `urls`. */
  sandboxUrls?: object | null | undefined
  /** Where live updates come in; without it there are none, and ends of jobs are looked for now and then. */
  hub?: EventHub | undefined
  /** The language model of openai bots; without it they hold. */
  openai?: OpenaiSettings | undefined
  /** The candle of a series that forms, as the feed announces it; without it bots act at closes alone. */
  forming?: ((symbol: string, timeframe: Timeframe) => CandleRow | null) | undefined
  /** How long a call that waits for its backtest does, ms; 25 s. */
  backtestWaitMs?: number | undefined
}

/** What every floor stands on. */
export const groundOf = ({ db, queue, venue, log, now = Date.now }: TradingDeps) => {
  const fundingOf = createStoredFunding(db.orm, venue.name)
  return {
    db,
    queue,
    venue,
    log,
    now,
    jobs: createJobs({ db, queue, log, now }),
    fundingOf,
    market: marketOf(venue, fundingOf),
    marketTime: () => venue.now(),
    /** The clock of a replay, ms; null on every other market. */
    replayNow: async () => (venue.kind === 'replay' ? venue.now() : null),
    traders: createTraders(db.orm, venue.name),
  }
}
export type Ground = ReturnType<typeof groundOf>
