import type { Funding } from '@shapecast/contracts/funding'
import type { FundingSeries } from '@shapecast/engine/models/funding'
import type { Database, Orm } from '@shapecast/platform/database/database'
import { lockUntilCommit } from '@shapecast/platform/database/locks'
import { type FundingRecord, type FundingStretch, joinStretches, stretchesOf } from '@shapecast/venues/funding'
import { asc, eq, sql } from 'drizzle-orm'
import { matching } from '../../ground/matching.ts'
import { fundingStretches } from './tables.ts'

type Stored = Pick<Funding, 'venue' | 'symbol'>

const of = ({ venue, symbol }: Stored) => matching(fundingStretches, { venue, symbol })

const read = (orm: Orm, name: Stored): Promise<FundingStretch[]> =>
  orm.select().from(fundingStretches).where(of(name)).orderBy(asc(fundingStretches.fromMs))

/** Adds records to those of a symbol; where both have one of a time, the new one counts. Answers what is there then. */
export const keepFunding = (db: Database, name: Stored, records: readonly FundingRecord[]): Promise<Funding> =>
  db.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, `funding ${name.venue} ${name.symbol}`)
    const joined = joinStretches([...(await read(tx, name)), ...stretchesOf(records)])
    await tx.delete(fundingStretches).where(of(name))
    if (joined.length > 0)
      await tx.insert(fundingStretches).values(
        joined.map(({ fromMs, untilMs, ts, rate, mark }) => ({
          ...name,
          fromMs,
          untilMs,
          ts: [...ts],
          rate: [...rate],
          mark: [...mark],
        })),
      )
    return shown(name, joined)
  })

const shown = (name: Stored, stretches: readonly FundingStretch[]): Funding => ({
  ...name,
  rates: stretches.reduce((sum, { ts }) => sum + ts.length, 0),
  known: stretches.map(({ fromMs, untilMs }) => ({ from: fromMs, to: untilMs })),
})

/** What is known of a venue's funding, by symbol. */
export async function fundingOfVenue(orm: Orm, venue: string): Promise<Funding[]> {
  const { symbol, fromMs, untilMs, ts } = fundingStretches
  const rows = await orm
    .select({ symbol, fromMs, untilMs, rates: sql<number>`cardinality(${ts})` })
    .from(fundingStretches)
    .where(eq(fundingStretches.venue, venue))
    .orderBy(asc(symbol), asc(fromMs))
  return [...Map.groupBy(rows, (row) => row.symbol)].map(([name, stretches]) => ({
    venue,
    symbol: name,
    rates: stretches.reduce((sum, { rates }) => sum + rates, 0),
    known: stretches.map((row) => ({ from: row.fromMs, to: row.untilMs })),
  }))
}

/** Of a symbol, null where none are stored. */
export type StoredFunding = (symbol: string) => Promise<FundingSeries | null>

/** Reads the funding rates of a venue, and keeps each symbol's until others are stored. */
export function createStoredFunding(orm: Orm, venue: string): StoredFunding {
  const kept = new Map<string, { stamp: string; series: FundingSeries | null }>()
  const { fromMs, revision } = fundingStretches
  return async (symbol) => {
    const name = { venue, symbol }
    const [found] = await orm
      .select({ stamp: sql<string>`coalesce(string_agg(${revision}::text, ',' order by ${fromMs}), '')` })
      .from(fundingStretches)
      .where(of(name))
    const { stamp } = found!
    if (kept.get(symbol)?.stamp !== stamp) kept.set(symbol, { stamp, series: seriesOf(await read(orm, name)) })
    return kept.get(symbol)!.series
  }
}

function seriesOf(stretches: readonly FundingStretch[]): FundingSeries | null {
  if (stretches.length === 0) return null
  const column = (key: 'ts' | 'rate' | 'mark') => Float64Array.from(stretches.flatMap((stretch) => stretch[key]))
  return {
    ts: column('ts'),
    rate: column('rate'),
    mark: column('mark'),
    known: stretches.map(({ fromMs, untilMs }) => ({ fromMs, untilMs })),
  }
}
