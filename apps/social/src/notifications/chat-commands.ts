import type { Role } from '@shapecast/contracts/auth'
import { AppError } from '@shapecast/contracts/errors'
import type { Member } from '@shapecast/platform/sessions'
import type { Social } from '../ground/social.ts'
import { hasSecondFactor, requireSecondFactor } from '../proof/second-factor.ts'

/** A bot of somebody, as it is told of in a chat. Money in USDT. */
export interface ChatBot {
  readonly id: string
  readonly name: string
  readonly isVirtual: boolean
  /** One line: `active, 1,012.44 USDT (+1.24%)`. */
  readonly state: string
  /** A line for each open position. */
  readonly positions: readonly string[]
}

/** What a chat may ask of the trading service: to look, pause and stop; never to start, buy or raise. */
export interface ChatTrading {
  botsOf(userId: string): Promise<ChatBot[]>
  pause(member: Member, botId: string): Promise<void>
  /** Stops a bot, and sells what it holds. Throws where that is real money and `sellsReal` is not given. */
  stop(member: Member, botId: string, sellsReal: boolean): Promise<void>
  /** Stops all bots with real money and cancels their orders; with `sells` what they hold is sold. An admin's. */
  kill(member: Member, sells: boolean): Promise<void>
}

export type ChatGround = Pick<Social, 'db' | 'log' | 'now' | 'secretKey'> & { readonly trading: ChatTrading }

/** What is done next, once it is answered rightly. */
interface Pending {
  readonly untilMs: number
  /** Whether these words mean it; what they do is done. Answers with what is said. */
  answer(words: string): Promise<string>
}

const ASKED_FOR_MS = 2 * 60_000
/** The network address that the audit has of what was asked for in a chat. */
export const CHAT_ADDRESS = 'Telegram'

const HELP = `I tell you what happens, and take these commands:
/status – your bots with state and equity
/positions – what they hold
/pause NAME – a bot opens nothing any more; its position and stops stay
/stop NAME – a bot stops, and what it holds is sold
/kill – all bots with real money stop, nothing is sold (admins)
/kill sell – and what they hold is sold (admins)
I never start a bot, buy, or raise a limit.`

const isYes = (words: string) => /^(yes|y)$/i.test(words.trim())
const NOTHING_DONE = 'Nothing was done.'

/** Talks with people who have linked their chats: one line in, one answer out. Questions are forgotten after two minutes, or when the process ends. */
export function createChatCommands(ground: ChatGround) {
  const { db, trading, now } = ground
  const pending = new Map<string, Pending>()

  function ask(userId: string, question: string, answer: Pending['answer']): string {
    pending.set(userId, { untilMs: now() + ASKED_FOR_MS, answer })
    return question
  }

  /** Asks for a code of the second factor, without which nothing that is real is sold. */
  async function askCode(member: Member, what: string, work: () => Promise<string>): Promise<string> {
    if (!(await hasSecondFactor(db.orm, member.userId)))
      return `${what} sells for real money, which takes two-factor authentication. Set it up in Settings, Security. ${NOTHING_DONE}`
    return ask(
      member.userId,
      `${what} sells for real money. Send the code of your authenticator app.`,
      async (code) => {
        await requireSecondFactor(ground, member, code)
        return work()
      },
    )
  }

  async function botNamed(userId: string, name: string): Promise<ChatBot | string> {
    if (name === '') return 'Say which: the command, a space, and the name of the bot.'
    const own = await trading.botsOf(userId)
    const found = own.find((bot) => bot.name.toLowerCase() === name.toLowerCase())
    return found ?? `You have no bot called ${name}. /status lists them.`
  }

  async function pause(member: Member, name: string): Promise<string> {
    const bot = await botNamed(member.userId, name)
    if (typeof bot === 'string') return bot
    const held =
      bot.positions.length === 0 ? 'It holds nothing.' : `${bot.positions.join('\n')}\nThat stays, with its stops.`
    return ask(member.userId, `Pause ${bot.name}? ${held} Answer yes or no.`, async (words) => {
      if (!isYes(words)) return NOTHING_DONE
      await trading.pause(member, bot.id)
      return `${bot.name} is paused. It is started again in the app alone.`
    })
  }

  async function stop(member: Member, name: string): Promise<string> {
    const bot = await botNamed(member.userId, name)
    if (typeof bot === 'string') return bot
    const work = (sellsReal: boolean) => async () => {
      await trading.stop(member, bot.id, sellsReal)
      return `${bot.name} is stopped. What it held is sold at the next price.`
    }
    const held = bot.positions.length === 0 ? 'It holds nothing.' : `${bot.positions.join('\n')}\nThat is sold.`
    return ask(member.userId, `Stop ${bot.name}? ${held} Send its name once more.`, async (words) => {
      if (words.trim().toLowerCase() !== bot.name.toLowerCase()) return NOTHING_DONE
      return !bot.isVirtual && bot.positions.length > 0
        ? askCode(member, `Stopping ${bot.name}`, work(true))
        : work(false)()
    })
  }

  async function kill(member: Member, role: Role, how: string): Promise<string> {
    if (role !== 'admin') return 'Only an admin has the kill switch. /stop NAME stops a bot of yours.'
    if (how !== '' && how.toLowerCase() !== 'sell') return 'Say /kill, or /kill sell.'
    const sells = how !== ''
    const work = async () => {
      await trading.kill(member, sells)
      return `The kill switch is on: bots with real money stop, and their orders are cancelled.${sells ? ' What they hold is sold.' : ''} It is switched off in the app alone.`
    }
    const what = sells ? 'and sell what they hold' : 'and keep what they hold, without a stop-loss'
    return ask(member.userId, `Stop all bots with real money, ${what}? Answer yes or no.`, async (words) => {
      if (!isYes(words)) return NOTHING_DONE
      return sells ? askCode(member, 'That', work) : work()
    })
  }

  async function status(userId: string): Promise<string> {
    const own = await trading.botsOf(userId)
    return own.length === 0 ? 'You have no bots.' : own.map(({ name, state }) => `${name}: ${state}`).join('\n')
  }

  async function positions(userId: string): Promise<string> {
    const held = (await trading.botsOf(userId)).flatMap((bot) => bot.positions.map((line) => `${bot.name}: ${line}`))
    return held.length === 0 ? 'Your bots hold nothing.' : held.join('\n')
  }

  async function obey(member: Member, text: string): Promise<string> {
    const { userId, role } = member
    const [, command, rest = ''] = /^\/(\w+)(?:@\w+)?\s*(.*)$/s.exec(text.trim()) ?? []
    const asked = pending.get(userId)
    // Whatever comes next, a question is answered or forgotten.
    pending.delete(userId)
    switch (command?.toLowerCase()) {
      case undefined:
        return asked !== undefined && asked.untilMs > now() ? asked.answer(text) : HELP
      case 'status':
        return status(userId)
      case 'positions':
        return positions(userId)
      case 'pause':
        return pause(member, rest.trim())
      case 'stop':
        return stop(member, rest.trim())
      case 'kill':
        return kill(member, role, rest.trim())
      default:
        return HELP
    }
  }

  return async (member: Member, text: string): Promise<string> => {
    try {
      return await obey(member, text)
    } catch (error) {
      if (error instanceof AppError) return `${error.message} ${NOTHING_DONE}`
      throw error
    }
  }
}
