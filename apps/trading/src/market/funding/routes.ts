import { AppError } from '@shapecast/contracts/errors'
import { downloadFunding, fundingCarry, fundingList, importFunding } from '@shapecast/contracts/funding'
import { ratioOfBps } from '@shapecast/contracts/units'
import { carryByYear } from '@shapecast/engine/models/carry'
import { type Doer, recordAudit } from '@shapecast/platform/audit'
import { registerEndpoint, type ServiceApp } from '@shapecast/platform/http/register-endpoint'
import type { FundingRecord } from '@shapecast/venues/funding'
import { BadFundingFile, readFundingFile } from '@shapecast/venues/import/read-funding-file'
import { requireExchange } from '../download-service.ts'
import { withUpload } from '../receive-upload.ts'
import type { FundingDeps } from './follow-funding.ts'
import { fundingOfVenue, keepFunding } from './funding-store.ts'

const MOST_BYTES = 64 * 1024 ** 2

/** Funding rates of perpetual futures: what is known of them, and bringing more in. */
export function fundingRoutes(
  app: ServiceApp,
  { db, venue, fundingOf, now }: FundingDeps & { now: () => number },
): void {
  const keep = async (name: { venue: string; symbol: string }, records: readonly FundingRecord[], by: Doer) => {
    const funding = await keepFunding(db, name, records)
    const subject = { type: 'funding', id: `${name.venue}/${name.symbol}` }
    await recordAudit(db.orm, by, { action: 'funding.stored', subject, after: { rates: records.length } })
    return { read: records.length, funding }
  }

  registerEndpoint(app, fundingList, () => fundingOfVenue(db.orm, venue.name))

  registerEndpoint(app, fundingCarry, async ({ params: { symbol }, query: { feeRate, slippageBps } }) => {
    const series = await fundingOf(symbol)
    if (series === null) throw new AppError('not_found', `No funding rates of ${symbol} are stored.`)
    return carryByYear(series, feeRate + ratioOfBps(slippageBps))
  })

  registerEndpoint(app, importFunding, async ({ query: { symbol, venue: named = venue.name }, caller, request }) => {
    const records = await withUpload(request, MOST_BYTES, ({ path }) =>
      readFundingFile(path, now()).catch((error: unknown) => {
        throw error instanceof BadFundingFile ? new AppError('bad_input', error.message, { field: 'file' }) : error
      }),
    )
    return keep({ venue: named, symbol }, records, caller)
  })

  registerEndpoint(app, downloadFunding, async ({ body: { symbol, from }, caller }) => {
    const { name, source } = requireExchange(venue)
    const records = (await source.funding?.({ symbol, fromMs: from, untilMs: source.clock() })) ?? []
    return keep({ venue: name, symbol }, records, caller)
  })
}
