import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { planOf } from '@shapecast/engine/policies/plan'
import type { Logger } from '@shapecast/platform/logging'
import { lastClosedOpen, type Venue } from '@shapecast/venues/venue'
import { deciderOf } from '../deciders/deciders.ts'
import type { DownloadService } from '../market/download-service.ts'
import { liveMarketOf } from '../market/live-market.ts'
import type { BotsContext } from './bots-context.ts'
import { timeframeOf } from './timeframe-of.ts'

const DAY_MS = 86_400_000

/**
 * Downloads what is missing of the candles that a bot's policy or rule looks back over. Never stands in the bot's way. Only an exchange has something to download: a replay and a simulated market have all they will have. Reads fetch what is
 * missing too, but not within the seconds that a decision has for 720 days.
 */
export function createPolicyHistory(deps: {
  venue: Venue
  downloads: Pick<DownloadService, 'request'>
  log: Logger
}): NonNullable<BotsContext['fetchHistory']> {
  const { venue, downloads, log } = deps
  const live = liveMarketOf(venue)
  return async (bot, by) => {
    const plan = planOf(bot)
    if (live === null || (plan.targets === undefined && plan.rule === undefined)) return
    const timeframe = timeframeOf(bot.parameters)
    const step = TIMEFRAME_MS[timeframe]
    for (const symbol of bot.tradingPairs)
      try {
        await live.source.now()
        const toMs = lastClosedOpen(timeframe, live.source.clock())
        const earliest = toMs - deciderOf({ strategy: 'ml' }, plan).history({ strategy: 'ml' }, plan, timeframe) * step
        const fromMs = Math.floor(earliest / DAY_MS) * DAY_MS
        if ((await live.filler.missing(symbol, timeframe, { fromMs, toMs })) === 0) continue
        await downloads.request({ symbol, timeframe, from: fromMs }, by)
      } catch (error) {
        log.warn({ err: error, symbol, timeframe }, 'the history of a policy could not be asked for')
      }
  }
}
