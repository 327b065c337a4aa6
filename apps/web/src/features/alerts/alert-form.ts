import type { AlertRule } from '@shapecast/contracts/alerts'
import type { Timeframe } from '@shapecast/contracts/timeframes'

export const KINDS: readonly { value: AlertRule['kind']; label: string }[] = [
  { value: 'price', label: 'Price' },
  { value: 'indicator', label: 'Indicator' },
  { value: 'signal', label: 'Signal of the model' },
  { value: 'drawdown', label: 'Drawdown of a bot' },
  { value: 'bot_silent', label: 'Bot silent' },
  { value: 'feed_silent', label: 'Feed silent' },
]

/** Every field of every kind, so that a change of the kind loses nothing that was typed. */
export interface AlertForm {
  readonly kind: AlertRule['kind']
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly direction: 'above' | 'below'
  readonly price: number | null
  readonly condition: string
  readonly signal: 'BUY' | 'SELL'
  readonly botId: string
  readonly pct: number | null
  readonly minutes: number | null
  readonly note: string
  readonly restMinutes: number | null
}

export const NEW_ALERT: AlertForm = {
  kind: 'price',
  symbol: 'BTCUSDT',
  timeframe: '1h',
  direction: 'above',
  price: null,
  condition: 'rsi(14) > 70',
  signal: 'BUY',
  botId: '',
  pct: 5,
  minutes: 30,
  note: '',
  restMinutes: 60,
}

/** The form of an alert that exists. */
export const formOf = ({
  rule,
  note,
  restMinutes,
}: {
  rule: AlertRule
  note: string
  restMinutes: number
}): AlertForm => ({
  ...NEW_ALERT,
  ...rule,
  note,
  restMinutes,
})

/** What the form says, as the contract has it; a number that is missing is NaN, which the contract refuses. */
export function ruleOf(form: AlertForm): AlertRule {
  const { symbol, timeframe, botId } = form
  const minutes = form.minutes ?? Number.NaN
  switch (form.kind) {
    case 'price':
      return { kind: 'price', symbol, direction: form.direction, price: form.price ?? Number.NaN }
    case 'indicator':
      return { kind: 'indicator', symbol, timeframe, condition: form.condition }
    case 'signal':
      return { kind: 'signal', symbol, timeframe, signal: form.signal }
    case 'drawdown':
      return { kind: 'drawdown', botId, pct: form.pct ?? Number.NaN }
    case 'bot_silent':
      return { kind: 'bot_silent', botId, minutes }
    case 'feed_silent':
      return { kind: 'feed_silent', symbol, timeframe, minutes }
    default:
      return form.kind satisfies never
  }
}
