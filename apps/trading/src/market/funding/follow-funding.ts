import { nextDue } from '@shapecast/engine/models/funding'
import type { Database } from '@shapecast/platform/database/database'
import type { Venue } from '@shapecast/venues/venue'
import { liveMarketOf } from '../live-market.ts'
import { fundingOfVenue, keepFunding, type StoredFunding } from './funding-store.ts'

export interface FundingDeps {
  readonly db: Database
  readonly venue: Venue
  readonly fundingOf: StoredFunding
}

/** Fetches the rates that have been settled since the last ones of every symbol that has some. */
export async function followFunding({ db, venue, fundingOf }: FundingDeps): Promise<void> {
  const source = liveMarketOf(venue)?.source
  if (source?.funding === undefined) return
  const nowMs = source.clock()
  for (const { symbol, known } of await fundingOfVenue(db.orm, venue.name)) {
    const series = await fundingOf(symbol)
    if (series === null || nowMs < nextDue(series)) continue
    const records = await source.funding({ symbol, fromMs: known.at(-1)!.to, untilMs: nowMs })
    if (records.length > 0) await keepFunding(db, { venue: venue.name, symbol }, records)
  }
}

/** How long bots wait for a rate that is due, ms: then it is assumed. */
const PATIENCE_MS = 10 * 60_000

/** Whether a rate is due at the open of a candle that has not come yet, though those before it have. */
export function awaitsRate(series: Parameters<typeof nextDue>[0] | null, openMs: number, nowMs: number): boolean {
  if (series === null || nowMs - openMs > PATIENCE_MS) return false
  const dueMs = nextDue(series)
  return dueMs <= openMs && openMs - dueMs <= PATIENCE_MS
}
