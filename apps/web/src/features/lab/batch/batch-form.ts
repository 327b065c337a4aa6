import { BatchRequest, type BatchRequestInput } from '@shapecast/contracts/batch'
import type { RuleOrigin } from '@shapecast/contracts/bots'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'
import { ruleDraftIn } from '#entities/bots/rule-draft.ts'

/** What stands in the form of a batch; an empty number is null. */
export interface BatchForm {
  readonly mode: 'rule' | 'bot'
  readonly rule: string
  /** The stored rule that it is. */
  readonly ruleOrigin: RuleOrigin | undefined
  readonly botId: string
  readonly symbols: readonly string[]
  readonly timeframes: readonly Timeframe[]
  readonly limit: number | null
}

export const NEW_BATCH: BatchForm = {
  mode: 'rule',
  rule: 'enter: close > donchian_upper(20)[1]\nexit: close < donchian_lower(10)[1]',
  ruleOrigin: undefined,
  botId: '',
  symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'],
  timeframes: ['1h', '4h', '1d'],
  limit: LAB_CANDLES,
}

/** The form in which a batch was asked for; what only the API can ask for is as in a new one. */
const formOf = ({ rule, ruleOrigin, botId, symbols, timeframes, limit }: BatchRequest): BatchForm => ({
  ...NEW_BATCH,
  ...(rule === undefined ? { mode: 'bot', botId: botId ?? '' } : { rule, ruleOrigin }),
  symbols,
  timeframes,
  limit,
})

export const planState = (plan: BatchRequest) => ({ plan })

/** The form of a new batch, from the state of the history: of a rule that comes from its editor, or of an earlier batch. */
export function startIn(state: unknown): BatchForm {
  const draft = ruleDraftIn(state)
  const { plan } = (state ?? {}) as { plan?: BatchRequest }
  if (plan !== undefined) return formOf(plan)
  return draft === undefined ? NEW_BATCH : { ...NEW_BATCH, rule: draft.rule, ruleOrigin: draft.ruleOrigin }
}

/** The body of the call. A rule trades all the money, without a drawdown limit, so that one is told from the other by its trades. */
export const bodyOf = ({
  mode,
  rule,
  ruleOrigin,
  botId,
  symbols,
  timeframes,
  limit,
}: BatchForm): BatchRequestInput => ({
  mode,
  ...(mode === 'rule' ? { rule, ruleOrigin, initialBalance: 1000, maxDrawdown: 0 } : { botId }),
  symbols: [...symbols],
  timeframes: [...timeframes],
  limit: limit ?? Number.NaN,
})

type Field = 'rule' | 'botId' | 'symbols' | 'timeframes' | 'limit'

/** What is wrong, by field. */
export function wrongIn(form: BatchForm): Partial<Record<Field, string>> {
  const { error } = BatchRequest.safeParse(bodyOf(form))
  const wrong: Partial<Record<Field, string>> = {}
  for (const { path, message } of error?.issues ?? []) {
    const field = path[0] as Field
    wrong[field] ??=
      field === 'limit'
        ? 'Must be a whole number from 200 to 100,000'
        : field === 'botId'
          ? 'Choose the bot to test'
          : message
  }
  return wrong
}
