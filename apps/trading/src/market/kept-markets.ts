import type { Market } from '@shapecast/contracts/market'
import type { Database } from '@shapecast/platform/database/database'
import type { Logger } from '@shapecast/platform/logging'
import { eq } from 'drizzle-orm'
import { venueMarkets } from './tables.ts'

const FRESH_MS = 60 * 60_000
/** After a failure the venue is left alone for a while. */
const RETRY_MS = 30_000

type Kept = Pick<typeof venueMarkets.$inferSelect, 'markets' | 'fetchedAtMs'>

/**
 * The markets of an exchange, kept in the database: a restart needs no answer, and while the exchange does not answer
 * the last ones hold. Older than an hour they are asked for again, behind the reader's back.
 */
export function createKeptMarkets(deps: {
  db: Database
  source: { readonly name: string; refreshMarkets(): Promise<Market[]> }
  log: Logger
  now: () => number
}) {
  const { db, source, log, now } = deps
  let kept: Kept | null = null
  let refreshing: Promise<Kept> | null = null
  let triedAtMs = Number.NEGATIVE_INFINITY

  async function fetchAll(): Promise<Kept> {
    triedAtMs = now()
    const row = { markets: await source.refreshMarkets(), fetchedAtMs: now() }
    await db.orm
      .insert(venueMarkets)
      .values({ venue: source.name, ...row })
      .onConflictDoUpdate({ target: venueMarkets.venue, set: row })
    kept = row
    return row
  }

  function refresh(): Promise<Kept> {
    refreshing ??= fetchAll().finally(() => {
      refreshing = null
    })
    return refreshing
  }

  async function current(): Promise<Kept> {
    if (kept === null) {
      const [row] = await db.orm.select().from(venueMarkets).where(eq(venueMarkets.venue, source.name))
      kept ??= row ?? null
    }
    if (kept === null) return refresh()
    if (now() - kept.fetchedAtMs > FRESH_MS && now() - triedAtMs > RETRY_MS)
      void refresh().catch((error: unknown) => log.warn({ err: error }, `${source.name} does not tell its markets`))
    return kept
  }

  return {
    /** The markets as the venue last told them. Throws `venue_unreachable` where it never has and does not answer. */
    list: async (): Promise<readonly Market[]> => (await current()).markets,
    find: async (symbol: string): Promise<Market | undefined> =>
      (await current()).markets.find(({ id }) => id === symbol),
    /** When it told them, ms; null while they have not been read. */
    fetchedAtMs: (): number | null => kept?.fetchedAtMs ?? null,
  }
}
