import { type Bot, type BotDraft, type BotRecord, ConsensusConfig } from '@shapecast/contracts/bots'
import { AppError } from '@shapecast/contracts/errors'
import { heldPairs, smallestBalance } from '@shapecast/contracts/policies'
import { recordActivity } from '@shapecast/platform/activities'
import { recordAudit } from '@shapecast/platform/audit'
import type { Orm } from '@shapecast/platform/database/database'
import type { KeyedRequest } from '@shapecast/platform/http/keyed-request'
import type { Member } from '@shapecast/platform/sessions'
import { DECIDERS } from '../deciders/deciders.ts'
import { maySee, type Viewer } from '../ground/ownership.ts'
import type { AbleBot } from './bot-ability.ts'
import { holdBotsOf, requireFreeName } from './bot-names.ts'
import { botActivity } from './bot-news.ts'
import { requireChange, unseen } from './bot-rights.ts'
import { NEW_STATUS } from './bot-status.ts'
import type { BotsContext } from './bots-context.ts'
import { namedParameters } from './named-parameters.ts'

const MOST_BOTS_OF_A_USER = 200
/** The backtest of a temporary bot takes its settings when it is asked for, seconds after the bot is made. */
const TEMPORARY_FOR_MS = 10 * 60_000

export interface BotServiceDeps
  extends Pick<BotsContext, 'db' | 'bots' | 'equity' | 'replies' | 'rules' | 'unknownVersions' | 'fetchHistory'>,
    Pick<BotsContext, 'marketNow' | 'replayNow' | 'now'> {
  /** Throws where a bot like this could not decide: a model, a pair or a key is missing. */
  requireAble(bot: AbleBot): Promise<void>
  /** Why a bot with real money may not be forgotten yet; null where it may be. */
  obstacleToDelete(botId: string): Promise<string | null>
}

/** What is kept under an Idempotency-Key. */
interface KeptBot {
  readonly botId: string
}

/** What a bot must have. */
const checksOf = ({ bots, rules }: BotServiceDeps) => {
  /** Throws `not_found` for a bot that does not exist, and for a private one of somebody else. */
  const read = async (id: string, viewer: Viewer): Promise<BotRecord> => {
    const bot = await bots.find(id)
    if (bot === undefined || !maySee(bot, viewer)) throw unseen()
    return bot
  }

  /** Throws `unprocessable` where a policy's orders would hardly ever be as large as the market takes them. */
  const requireBalance = async ({ parameters, tradingPairs, initialBalance }: BotDraft): Promise<void> => {
    const found = await Promise.all(tradingPairs.map(rules))
    const order = Math.max(0, ...found.map((known) => known?.minNotional ?? 0))
    const smallest = smallestBalance(parameters?.policy ?? 'signal', heldPairs({ tradingPairs, parameters }), order)
    if (smallest === null || initialBalance >= smallest.refusedBelow) return
    throw new AppError(
      'unprocessable',
      `Initial balance must be at least ${smallest.refusedBelow}: with less it would hardly ever trade. From ${smallest.works} on it works.`,
      { field: 'initialBalance' },
    )
  }
  return { read, requireBalance }
}

/** Deletes bots. */
const removalOf = ({ db, bots, equity, obstacleToDelete, replayNow, now }: BotServiceDeps) => ({
  /**
   * Deletes a bot with its account; an active virtual one is thereby stopped. Its owner or an admin. Throws `conflict`
   * for one with real money that is not stopped, has open orders, or holds what it was not told to sell.
   */
  async delete(id: string, member: Member): Promise<void> {
    const bot = await bots.find(id)
    requireChange(bot, member)
    if (!bot.isVirtual && bot.status !== 'stopped')
      throw new AppError('conflict', 'Stop this bot first: it trades real money.')
    const obstacle = bot.isVirtual ? null : await obstacleToDelete(id)
    if (obstacle !== null) throw new AppError('conflict', obstacle)
    const [before] = await equity.shown([bot])
    await db.orm.transaction(async (tx) => {
      if (!(await bots.delete(tx, id))) throw unseen()
      await recordAudit(tx, member, {
        action: 'bot.deleted',
        subject: { type: 'bot', id },
        before,
      })
      if (bot.parameters?.temporary !== true)
        await recordActivity(tx, botActivity(bot, 'bot.deleted', member.userId), await replayNow())
    })
  },

  /** Removes temporary bots older than ten minutes: those that nobody deleted. */
  sweep: (): Promise<number> => bots.deleteTemporary(now() - TEMPORARY_FOR_MS),
})

/** What one may do with bots: see, create, delete; who may is decided here. */
export const createBotService = (deps: BotServiceDeps) => {
  const { db, bots, equity, replies, marketNow, replayNow, now, ...models } = deps
  const { read, requireBalance } = checksOf(deps)

  return {
    ...removalOf(deps),

    read,

    /** As `read`, with what its money is worth. */
    show: async (id: string, viewer: Viewer): Promise<Bot> => (await equity.shown([await read(id, viewer)]))[0]!,

    list: async (viewer: Viewer): Promise<Bot[]> => equity.shown(await bots.list(viewer)),

    /**
     * Creates a stopped bot with a sub-account that holds its initial balance. Only an admin's bot may trade real
     * money. Throws `unprocessable` for a model version that does not exist, past 200 bots and for a balance too small for
     * its policy, `conflict` for a name that another of their bots has, and what `requireAble` throws. A temporary bot is
     * asked for none of these: its backtest is. The same request under the same key answers with the same bot.
     */
    async create(draft: BotDraft, member: Member, request: KeyedRequest | null = null): Promise<string> {
      const before = async (orm: Orm) => {
        const kept = (await replies.before(orm, member.userId, request)) as KeptBot | undefined
        return kept?.botId
      }
      const known = await before(db.orm)
      if (known !== undefined) return known
      const { takesModels } = DECIDERS[draft.strategy]
      const versions = draft.mlModelVersions ?? (draft.mlModelVersion === undefined ? [] : [draft.mlModelVersion])
      if (takesModels && versions.length > 0) {
        const unknown = await models.unknownVersions(versions)
        if (unknown.length > 0)
          throw new AppError(
            'unprocessable',
            `No model is called ${unknown.join(', ')}. Train it first, or choose another one.`,
            { field: draft.mlModelVersions === undefined ? 'mlModelVersion' : 'mlModelVersions' },
          )
      }

      const ensemble = takesModels && draft.mlModelVersions !== undefined
      const temporary = draft.parameters?.temporary === true
      const row = {
        ...draft,
        ...NEW_STATUS,
        userId: member.userId,
        visibility: temporary ? 'private' : draft.visibility,
        isVirtual: member.role === 'admin' && !temporary ? draft.isVirtual : true,
        mlModelVersion: takesModels && !ensemble ? (draft.mlModelVersion ?? null) : null,
        mlModelVersions: ensemble ? draft.mlModelVersions! : null,
        consensusConfig: ensemble ? (draft.consensusConfig ?? ConsensusConfig.parse({})) : null,
        parameters: await namedParameters(db.orm, draft.parameters ?? null, member),
        temporary,
        // A temporary one lives by our clock: it is swept.
        createdAt: temporary ? now() : ((await marketNow()) ?? now()),
      } as const
      if (!temporary) {
        await requireBalance(draft)
        await models.requireAble(row)
      }
      const id = await db.orm.transaction(async (tx) => {
        await holdBotsOf(tx, member.userId)
        const made = await before(tx)
        if (made !== undefined) return made
        if ((await bots.countOf(member.userId, tx)) >= MOST_BOTS_OF_A_USER)
          throw new AppError('unprocessable', `A user has at most ${MOST_BOTS_OF_A_USER} bots. Delete one first.`)
        if (!temporary) await requireFreeName(tx, bots, row)
        const id = await bots.insert(tx, row)
        const { temporary: _temporary, ...after } = row
        await recordAudit(tx, member, {
          action: 'bot.created',
          subject: { type: 'bot', id },
          after,
        })
        if (!temporary)
          await recordActivity(tx, botActivity({ id, ...row }, 'bot.created', member.userId), await replayNow())
        await replies.keep(tx, member.userId, request, { botId: id } satisfies KeptBot, now())
        return id
      })
      if (!temporary) await models.fetchHistory?.(row, member)
      return id
    },
  }
}

export type BotService = ReturnType<typeof createBotService>
