import type { SearchResult } from '@shapecast/contracts/search'
import type { Orm } from '@shapecast/platform/database/database'
import { eq } from 'drizzle-orm'
import { packJson, unpackText } from '../ground/packed.ts'
import { searchResults, type Winner } from './tables.ts'

/** A result ready to be stored. */
export interface PackedResult {
  readonly result: SearchResult
  readonly winner: Winner
  readonly bytes: Buffer
}

export const packResult = async (result: SearchResult, winner: Winner): Promise<PackedResult> => ({
  result,
  winner,
  bytes: await packJson(result, 4),
})

export async function insertResult(
  tx: Pick<Orm, 'insert'>,
  searchId: string,
  { winner, bytes }: PackedResult,
): Promise<void> {
  await tx.insert(searchResults).values({ searchId, winner, bytes })
}

/** The JSON text of a search's result; null where it has none. */
export async function readResult(db: Pick<Orm, 'select'>, searchId: string): Promise<string | null> {
  const [row] = await db
    .select({ bytes: searchResults.bytes })
    .from(searchResults)
    .where(eq(searchResults.searchId, searchId))
  return row === undefined ? null : unpackText(row.bytes)
}

export async function readWinner(db: Pick<Orm, 'select'>, searchId: string): Promise<Winner | null> {
  const [row] = await db
    .select({ winner: searchResults.winner })
    .from(searchResults)
    .where(eq(searchResults.searchId, searchId))
  return row?.winner ?? null
}
