import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { planOf } from '@shapecast/engine/policies/plan'
import { copyPortfolio } from '@shapecast/engine/portfolio'
import { nothingDone, watchesOf } from './advance-bot.ts'
import type { BotEvidenceService } from './bot-evidence.ts'
import { type RuntimeDeps, runStep } from './bot-runtime.ts'
import { mayChange, statusBy } from './bot-status.ts'
import type { BotStore } from './bot-store.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange } from './runtime-store.ts'
import { timeframeOf } from './timeframe-of.ts'

const HOUR_MS = 3_600_000

const wants = ({ status, parameters }: Pick<RunningBot['bot'], 'status' | 'parameters'>): boolean =>
  status === 'active' && parameters?.pauseWhenWorse === true

/**
 * Pauses bots whose owner wants it once they are told to be worse than holding as much; looks once each hour of the market.
 * What they hold stays, and its stops act.
 */
export function createPauseWorse(
  deps: RuntimeDeps & {
    bots: Pick<BotStore, 'list'>
    evidence: Pick<BotEvidenceService, 'judge'>
    marketNow(): Promise<number | null>
  },
) {
  const { bots, evidence, marketNow, log } = deps
  /** By bot the last hour of the market in which it was looked at. */
  let looked = new Map<string, number>()

  async function pause(id: string, decidedAt: number): Promise<void> {
    const on = new Date(decidedAt - 1).toISOString().slice(0, 10)
    const reason = `Since ${on} it is told from luck that it does worse than holding as much: by your rule it is paused. It keeps what it holds. Take the rule away to start it again.`
    const moves = (running: RunningBot): BotChange[] => {
      const { bot, state } = running
      if (!wants(bot) || !mayChange(bot, 'halt')) return []
      const portfolio = copyPortfolio(state.portfolio)
      for (const pair of portfolio.pairs) pair.pending = null
      const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
      const watches = bot.isVirtual ? watchesOf(portfolio, planOf(bot), false, step) : []
      return [{ ...nothingDone(running), portfolio, watches, status: statusBy('halt', reason) }]
    }
    await runStep(deps, {
      botIds: [id],
      moves: async (_tx, locked) => ({ changes: locked.flatMap(moves), failed: [] }),
      book: async () => {},
    })
  }

  return async (): Promise<void> => {
    const nowMs = await marketNow()
    if (nowMs === null) return
    const hour = Math.floor(nowMs / HOUR_MS)
    const watched = (await bots.list('all')).filter(wants)
    looked = new Map(watched.map(({ id }) => [id, looked.get(id) ?? -1]))
    for (const bot of watched) {
      if (looked.get(bot.id) === hour) continue
      looked.set(bot.id, hour)
      try {
        const { verdict, decidedAt } = await evidence.judge(bot)
        if (verdict === 'worse') await pause(bot.id, decidedAt!)
      } catch (error) {
        log.error({ err: error, bot: bot.id }, 'a bot could not be held against holding')
      }
    }
  }
}
