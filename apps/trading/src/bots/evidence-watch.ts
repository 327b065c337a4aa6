import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { planOf } from '@shapecast/engine/policies/plan'
import { copyPortfolio, takeBackOrders } from '@shapecast/engine/portfolio'
import { nothingDone, watchesOf } from './advance-bot.ts'
import type { BotEvidenceService } from './bot-evidence.ts'
import { decidedNews } from './bot-news.ts'
import { type RuntimeDeps, runStep } from './bot-runtime.ts'
import { mayChange, statusBy } from './bot-status.ts'
import type { BotStore } from './bot-store.ts'
import { takenBack } from './hand-wishes.ts'
import type { RunningBot } from './running-bots.ts'
import type { BotChange } from './runtime-store.ts'
import { timeframeOf } from './timeframe-of.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const wants = ({ status, parameters }: Pick<RunningBot['bot'], 'status' | 'parameters'>): boolean =>
  status === 'active' && parameters?.pauseWhenWorse === true

/**
 * Tells owners, once, that a bot is told from luck to be better or worse than holding as much, and pauses a worse one where
 * its owner wants that: what it holds stays, and its stops act. Looks once each hour of the market at bots with that rule,
 * and at the others an hour after the end of each day. For one process at a time.
 */
export function createEvidenceWatch(
  deps: RuntimeDeps & {
    bots: Pick<BotStore, 'list'>
    evidence: Pick<BotEvidenceService, 'judge'>
    marketNow(): Promise<number | null>
  },
) {
  const { bots, evidence, marketNow, log } = deps
  async function pause(id: string, decidedAt: number): Promise<void> {
    const on = new Date(decidedAt - 1).toISOString().slice(0, 10)
    const reason = `Since ${on} it is told from luck that it does worse than holding as much: by your rule it is paused. It keeps what it holds. Take the rule away to start it again.`
    const moves = (running: RunningBot): BotChange[] => {
      const { bot, state } = running
      if (!wants(bot) || !mayChange(bot, 'halt')) return []
      const portfolio = copyPortfolio(state.portfolio)
      takeBackOrders(portfolio)
      const step = TIMEFRAME_MS[timeframeOf(bot.parameters)]
      const watches = bot.isVirtual ? watchesOf(portfolio, planOf(bot), false, step) : []
      return [{ ...nothingDone(running), portfolio, watches, status: statusBy('halt', reason) }]
    }
    await runStep(deps, {
      botIds: [id],
      async moves(tx, locked) {
        const changes = locked.flatMap(moves)
        if (changes.length === 0) return { changes, failed: [] }
        const wishes = locked.flatMap(({ bot, state }) => takenBack(bot, state.portfolio))
        await deps.store.keepByHand(tx, wishes)
        await deps.store.markReported(tx, id, 'worse')
        return { changes, failed: [] }
      },
      book: async () => {},
    })
  }

  /** False while somebody else is at the bot. */
  const tell = (id: string, verdict: 'better' | 'worse', decidedAt: number): Promise<boolean> =>
    deps.db.orm.transaction(async (tx) => {
      const [running] = await deps.store.lock(tx, [id])
      if (running === undefined) return false
      if (await deps.store.markReported(tx, id, verdict))
        await deps.tell(tx, [decidedNews(running.bot, verdict, decidedAt)])
      return true
    })

  return async (): Promise<void> => {
    const nowMs = await marketNow()
    if (nowMs === null) return
    const judged = await deps.store.judged()
    for (const bot of await bots.list('all')) {
      const { judgedIn, isUnreported } = judged.get(bot.id) ?? { judgedIn: null, isUnreported: false }
      const period = wants(bot) ? Math.floor(nowMs / HOUR_MS) : Math.floor((nowMs - HOUR_MS) / DAY_MS)
      if (judgedIn === period || !(wants(bot) || isUnreported)) continue
      try {
        const { verdict, decidedAt } = await evidence.judge(bot)
        if (verdict === 'worse' && wants(bot)) await pause(bot.id, decidedAt!)
        else if (
          (verdict === 'better' || verdict === 'worse') &&
          isUnreported &&
          !(await tell(bot.id, verdict, decidedAt!))
        )
          continue
      } catch (error) {
        log.error({ err: error, bot: bot.id }, 'a bot could not be held against holding')
      }
      await deps.store.noteJudged(bot.id, period)
    }
  }
}
