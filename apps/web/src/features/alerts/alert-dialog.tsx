import { type Alert, AlertRule, changeAlert, createAlert } from '@shapecast/contracts/alerts'
import { bots } from '@shapecast/contracts/bots'
import { markets } from '@shapecast/contracts/market'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { useState } from 'react'
import { selectableSymbols } from '#entities/markets/use-market-of.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Dialog } from '#kit/ui/dialog.tsx'
import { fieldsOf } from '#kit/ui/field.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

const MOST_SYMBOLS = 100
const optionsOf = <Value extends string>(values: readonly Value[]) => values.map((value) => ({ value, label: value }))

/** Makes an alert, or changes one. */
export function AlertDialog({ alert, onClose }: { alert: Alert | null; onClose: () => void }) {
  const user = useUser()
  const [form, setForm] = useState<AlertForm>(alert === null ? NEW_ALERT : formOf(alert))
  const [isTried, setTried] = useState(false)
  const known = useEndpointQuery(markets, {})
  const found = useEndpointQuery(bots, {})
  const create = useEndpointMutation(createAlert, { onSuccess: onClose })
  const change = useEndpointMutation(changeAlert, { onSuccess: onClose })
  const save = alert === null ? create : change
  const own = found.data?.filter(({ userId }) => userId === user?.id) ?? []
  const set = (part: Partial<AlertForm>) => setForm((before) => ({ ...before, ...part }))
  const rule = ruleOf(form)
  const problems = AlertRule.safeParse(rule).error?.issues ?? []
  const restsEnough = (form.restMinutes ?? 0) >= 5
  const errors: Partial<Record<keyof AlertForm, string>> = isTried
    ? {
        ...Object.fromEntries(problems.map(({ path, message }) => [path[0], message])),
        ...(problems.some(({ path }) => path[0] === 'botId') && { botId: 'must be one of your bots' }),
        ...(!restsEnough && { restMinutes: 'must be at least 5 minutes' }),
      }
    : {}
  const field = fieldsOf(form, set, errors)
  const submit = () => {
    setTried(true)
    if (problems.length > 0 || !restsEnough) return
    const body = { rule, note: form.note, restMinutes: form.restMinutes! }
    if (alert === null) create.mutate({ body })
    else change.mutate({ params: { id: alert.id }, body })
  }
  const isOfBot = 'botId' in rule
  return (
    <Dialog
      title={alert === null ? 'New alert' : 'Change alert'}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" {...busyButton(save.isPending, submit)}>
            {save.isPending ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <Column gap={1.5}>
        {save.isError && <FailureBanner error={save.error} text="The alert was not saved." />}
        <SelectField label="Tell me about" {...field('kind')} options={KINDS} />
        {!isOfBot && (
          <SelectField
            label="Symbol"
            {...field('symbol')}
            options={optionsOf([...new Set([form.symbol, ...selectableSymbols(known.data ?? [], MOST_SYMBOLS)])])}
          />
        )}
        {'timeframe' in rule && (
          <SelectField label="Timeframe" {...field('timeframe')} options={optionsOf(TIMEFRAMES)} />
        )}
        {isOfBot && (
          <SelectField
            label="Bot"
            {...field('botId')}
            options={own.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={own.length === 0 ? 'You have no bots' : 'Choose a bot'}
          />
        )}
        {form.kind === 'price' && (
          <>
            <SelectField
              label="When it goes"
              {...field('direction')}
              options={optionsOf(['above', 'below'] as const)}
            />
            <NumberField label="Price" unit="USDT" {...field('price')} />
          </>
        )}
        {form.kind === 'indicator' && (
          <TextField
            label="Condition"
            autoComplete="off"
            value={form.condition}
            onChange={(event) => set({ condition: event.target.value })}
            error={errors.condition}
            help="As in rules of bots: rsi(14) > 70, ema(20) crosses above ema(50)"
          />
        )}
        {form.kind === 'signal' && (
          <SelectField label="Signal" {...field('signal')} options={optionsOf(['BUY', 'SELL'] as const)} />
        )}
        {form.kind === 'drawdown' && (
          <NumberField label="Drawdown" unit="%" {...field('pct')} help="Of its equity below its highest" />
        )}
        {'minutes' in rule && (
          <NumberField
            label="Silent for"
            unit="min"
            {...field('minutes')}
            help={isOfBot ? 'Past the close that it should decide at' : 'Past the close of a candle that does not come'}
          />
        )}
        <TextField
          label="Note"
          labelNote="optional"
          autoComplete="off"
          value={form.note}
          onChange={(event) => set({ note: event.target.value })}
        />
        <NumberField label="Rests after ringing" unit="min" {...field('restMinutes')} />
      </Column>
    </Dialog>
  )
}

const KINDS: readonly { value: AlertRule['kind']; label: string }[] = [
  { value: 'price', label: 'Price' },
  { value: 'indicator', label: 'Indicator' },
  { value: 'signal', label: 'Signal of the model' },
  { value: 'drawdown', label: 'Drawdown of a bot' },
  { value: 'bot_silent', label: 'Bot silent' },
  { value: 'feed_silent', label: 'Feed silent' },
]

/** Every field of every kind, so that a change of the kind loses nothing that was typed. */
interface AlertForm {
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

const NEW_ALERT: AlertForm = {
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
export const formOf = ({ rule, note, restMinutes }: Pick<Alert, 'rule' | 'note' | 'restMinutes'>): AlertForm => ({
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
