import type { BotEvidence } from '@shapecast/contracts/bot-evidence'
import type { BotRecord } from '@shapecast/contracts/bots'
import { dailyExcess, dayEnds, heldDays } from '@shapecast/engine/evidence/daily-excess'
import { testDaily } from '@shapecast/engine/evidence/e-process'
import { edgeOfDays } from '@shapecast/engine/evidence/time-to-know'
import { thinPoints } from '@shapecast/engine/thin-points'
import type { Viewer } from '../ground/ownership.ts'
import type { BotsContext } from './bots-context.ts'
import { heldWorth } from './held-worth.ts'

const MOST_POINTS = 400
/** The largest evidence that is told, as its logarithm: JSON has no infinity. */
const MOST_LN = 600

const VERDICTS = { too_early: 'too_early', cannot_tell: 'undecided', ahead: 'better', behind: 'worse' } as const

/** Judges bots by their days, each beside holding as much of their pairs. */
export function createBotEvidence({ states, read, candles }: Pick<BotsContext, 'states' | 'read' | 'candles'>) {
  async function judge(bot: Pick<BotRecord, 'id' | 'parameters' | 'tradingPairs'>): Promise<BotEvidence> {
    const points = await states.equity(bot.id, undefined)
    // Closes from before it was kept what was held then do not count.
    const first = points.findIndex(({ heldShare }) => heldShare !== null)
    const ends = dayEnds(points.slice(Math.max(0, first)))
    const times = ends.map(({ atMs }) => atMs)
    const held = await heldWorth(candles, bot, 1, times)
    const days = held === null ? [] : heldDays(ends, held)
    const excess = dailyExcess(days)
    const { lnAhead, lnBehind, begunAt, decidedAt, verdict } = testDaily(excess)
    const told = (ln: number) => Math.exp(Math.min(MOST_LN, ln))
    return {
      verdict: VERDICTS[verdict],
      days: days.length,
      differingDays: excess.reduce((count, x) => count + (x === 0 ? 0 : 1), 0),
      from: days.length === 0 ? null : days[0]!.endMs - 86_400_000,
      decidedAt: decidedAt === null ? null : days[decidedAt]!.endMs,
      overHolding: 100 * excess.reduce((sum, x) => sum + x, 0),
      edge: begunAt === null ? null : edgeOfDays(excess.subarray(1)),
      points: thinPoints(
        lnAhead.map((ln, i) => ln - lnBehind[i]!),
        MOST_POINTS,
      ).map((i) => ({ t: days[i]!.endMs, better: told(lnAhead[i]!), worse: told(lnBehind[i]!) })),
      isPriced: held !== null,
    }
  }
  return { judge, read: async (id: string, viewer: Viewer): Promise<BotEvidence> => judge(await read(id, viewer)) }
}
export type BotEvidenceService = ReturnType<typeof createBotEvidence>
