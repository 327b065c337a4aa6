import { AUTO_EXCHANGE } from '@shapecast/contracts/exchanges'
import { createStopper } from '@shapecast/platform/graceful-stop'
import { createLogger } from '@shapecast/platform/logging'
import { failedJobs } from '@shapecast/trading/ground/jobs/job-rows'
import { errorText } from '../server/error-text.ts'
import { type Installation, openInstallation } from '../server/installation.ts'
import { openParts } from '../server/services.ts'
import { bad, type Check, type Finding, good, hint } from './finding.ts'

const FAILED_WITHIN_MS = 86_400_000
const MOST_COUNTED = 100

/** The database, what is stored in it, and the market that it serves. */
export const checkDatabase: Check = async (config) => {
  const log = createLogger('silent')
  const stopper = createStopper(log)
  const where = config.databaseUrl === null ? 'embedded PostgreSQL' : 'DATABASE_URL'
  try {
    const installation = await openInstallation(config, log, stopper)
    return [await serverOf(installation, where), ...(await marketOf(installation)), ...(await jobsOf(installation))]
  } catch (error) {
    return [
      bad(
        where,
        errorText(error),
        config.databaseUrl === null
          ? 'The log of the server is server.log beside its files (docs/operations.md, "The database").'
          : 'Check that the server of DATABASE_URL runs, lets this machine in, and is PostgreSQL 15 or newer.',
      ),
    ]
  } finally {
    await stopper.stop()
  }
}

async function serverOf({ db }: Installation, where: string): Promise<Finding> {
  const { rows } = await db.pool.query<{ version: string; size: string }>(
    "select current_setting('server_version') as version, pg_size_pretty(pg_database_size(current_database())) as size",
  )
  const { version, size } = rows[0]!
  return good(where, `PostgreSQL ${version}, migrated, ${size}`)
}

async function jobsOf({ db }: Installation): Promise<Finding[]> {
  const failed = await failedJobs(db.orm, Date.now() - FAILED_WITHIN_MS, MOST_COUNTED)
  if (failed.length === 0) return []
  const count = failed.length === MOST_COUNTED ? `${MOST_COUNTED} or more` : String(failed.length)
  const text = `${count} failed within a day, the last: ${failed[0]!.kind} ${failed[0]!.title}: ${failed[0]!.error}`
  return [hint('jobs', text, 'An admin runs them again in Settings, Failed jobs.')]
}

async function marketOf(installation: Installation): Promise<Finding[]> {
  const { market, models, close } = await openParts(installation)
  const about = 'market'
  try {
    const { rows } = await installation.db.pool.query<{ series: number; candles: number }>(
      'select count(*)::int as series, coalesce(sum(candles), 0)::float8 as candles from trading.series where venue = $1 and candles > 0',
      [market.venue],
    )
    const { series, candles } = rows[0]!
    const findings: Finding[] = []
    if (market.kind === 'simulated')
      findings.push(
        hint(
          about,
          'simulated, its prices are made up',
          `For real ones import history and set MARKET=replay, or set MARKET to an exchange such as ${AUTO_EXCHANGE}.`,
        ),
      )
    else if (market.kind === 'replay' && series === 0)
      findings.push(
        bad(
          about,
          'replay, and there is no history to replay',
          'Import some: npx shapecast import FILE --symbol BTCUSDT --timeframe 1h',
        ),
      )
    else
      findings.push(
        good(about, `${market.venue}, ${series} series with ${candles.toLocaleString('en')} candles stored`),
      )
    const trained = (await models().modelStore.list()).filter((model) => model.artifacts.length > 0)
    findings.push(
      trained.length > 0
        ? good('models', `${trained.map((model) => model.version).join(', ')} trained`)
        : hint(
            'models',
            'none is trained on this market yet',
            'Train one: npx shapecast train --symbol BTCUSDT --timeframe 1h',
          ),
    )
    return findings
  } finally {
    await close()
  }
}
