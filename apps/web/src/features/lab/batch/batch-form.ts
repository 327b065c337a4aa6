import { BatchRequest, type BatchRequestInput } from '@shapecast/contracts/batch'
import type { Timeframe } from '@shapecast/contracts/timeframes'
import { LAB_CANDLES } from '@shapecast/contracts/trials'

/** What stands in the form of a batch; an empty number is null. */
export interface BatchForm {
  readonly mode: 'rule' | 'bot'
  readonly rule: string
  readonly botId: string
  readonly symbols: readonly string[]
  readonly timeframes: readonly Timeframe[]
  readonly limit: number | null
}

export const NEW_BATCH: BatchForm = {
  mode: 'rule',
  rule: 'enter: close > donchian_upper(20)[1]\nexit: close < donchian_lower(10)[1]',
  botId: '',
  symbols: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'],
  timeframes: ['1h', '4h', '1d'],
  limit: LAB_CANDLES,
}

/** The body of the call. A rule trades all the money, without a drawdown limit, so that one is told from the other by its trades. */
export const bodyOf = ({ mode, rule, botId, symbols, timeframes, limit }: BatchForm): BatchRequestInput => ({
  mode,
  ...(mode === 'rule' ? { rule, initialBalance: 1000, maxDrawdown: 0 } : { botId }),
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
