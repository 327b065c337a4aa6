import type { Bot } from '@shapecast/contracts/bots'
import { policyOf } from '#entities/bots/bot-words.ts'

export interface OfferedModel {
  /** `v3`, or `v3, v4` of an ensemble. */
  versions: string
  /** That the bot takes it without a further word, and when; null until its owner says so. */
  agreed: string | null
  /** What it waits for where the bot holds something. */
  wait: string
}

/** The newer training of its models that a bot is offered, in words; null where there is none. */
export function offeredModel(bot: Pick<Bot, 'models' | 'parameters'>): OfferedModel | null {
  const offered = bot.models.filter(({ offer }) => offer !== null)
  if (offered.length === 0) return null
  const versions = [...new Set(offered.map(({ offer }) => offer!.version))].join(', ')
  const isSignal = policyOf(bot) === 'signal'
  const isAgreed = bot.parameters?.followModel === true || offered.every(({ takesNext }) => takesNext)
  return {
    versions,
    agreed: isAgreed
      ? `It takes the newer ${versions} ${isSignal ? 'once it holds nothing' : 'at its next daily decision'}`
      : null,
    wait: isSignal
      ? 'A position is held to its end first.'
      : 'While it holds something, it is taken at its next daily decision.',
  }
}

export const NOT_TAKEN = 'It could not be taken.'
