import { type Bot, BotDraft } from '@shapecast/contracts/bots'
import { inputComplaint } from '@shapecast/contracts/input-complaint'
import { z } from 'zod'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import { saveFile } from '#wire/calls/save-file.ts'
import { type BotSettings, draftOf, formOf } from './bot-body.ts'
import { type BotForm, changeForm, NEW_BOT } from './bot-form.ts'

/** Hands the settings of a bot to the browser to save: the body of the call that creates one like it. */
export function saveBot(bot: Bot): void {
  const content = new Blob([`${JSON.stringify(draftOf(withoutOrigin(formOf(bot))), null, 2)}\n`], {
    type: 'application/json',
  })
  saveFile({ name: `${bot.name.replace(/[^\p{L}\p{N} _-]/gu, '_')}.bot.json`, content }, 'bot.json')
}

/** Elsewhere, or later, its stored rule may not be there. */
const withoutOrigin = (form: BotForm): BotForm => ({ ...form, kept: { ...form.kept, ruleOrigin: undefined } })

/** Null for what is no number: the form says beside its field what is wrong, as it does of a number that is too large. */
const number = (left: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => (value === undefined ? left : typeof value === 'number' ? value : null))
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : ''))

const BotFile = z.strictObject({
  ...BotDraft.shape,
  name: text,
  description: text,
  tradingPairs: z.array(z.string()).default(['BTCUSDT']),
  positionSize: number(0.001),
  maxDrawdown: number(10),
  initialBalance: number(10),
  leverage: number(10),
  takeProfitPct: number(0),
  stopLossPct: number(0),
})

/** No file with the settings of a bot is as large, bytes. */
export const MOST_BYTES = 100_000

/** The form as a saved file fills it, or why it cannot be filled from it. Real money is not copied: anyone who wants it says so. */
export function readBotFile(content: string): { form: BotForm } | { refusal: string } {
  let read: unknown
  try {
    read = JSON.parse(content)
  } catch {
    return { refusal: 'It cannot be read: choose a file that ‘Save as file’ in the settings of a bot wrote.' }
  }
  const { data, error } = BotFile.safeParse(read, { error: inputComplaint })
  if (data === undefined) {
    const [issue] = error.issues
    const { path, message } = issue!
    if (issue!.code === 'unrecognized_keys')
      return { refusal: `It has ${issue!.keys.join(', ')}, which no bot here has: another version may have saved it.` }
    return { refusal: path.length === 0 ? `This file has no settings of a bot: ${message}.` : `${message}.` }
  }
  // Its numbers may be null, as in the form.
  return { form: withoutOrigin(formOf({ ...NO_MODEL, ...data, isVirtual: true } as BotSettings)) }
}
const NO_MODEL = { mlModelVersion: null, mlModelVersions: null, consensusConfig: null, parameters: null }

/** The form for another bot like this one. Real money is not copied. */
export const copyOf = (bot: Bot, names: readonly string[]): BotForm => ({
  ...withoutOrigin(formOf(bot)),
  name: freeName(bot.name, names),
  isVirtual: true,
})

/** The form for a bot that trades a rule. */
export const formOfRule = ({ rule, ruleOrigin, sizing, marketType, symbol, ...rest }: RuleDraft): BotForm => ({
  ...changeForm(NEW_BOT, { marketType, policy: 'rule', kept: { rule, ruleOrigin, sizing } }),
  ...rest,
  tradingPairs: [symbol],
  ownBalance: true,
})

/** `Trend copy`, `Trend copy 2` and so on: the first that no other bot has. */
function freeName(name: string, names: readonly string[]): string {
  const taken = new Set(names.map((one) => one.toLowerCase()))
  for (let i = 1; ; i++) {
    const copy = `${name.slice(0, 50)} copy${i === 1 ? '' : ` ${i}`}`
    if (!taken.has(copy.toLowerCase())) return copy
  }
}
