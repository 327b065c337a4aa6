import { type Alert, AlertRule, changeAlert, createAlert } from '@shapecast/contracts/alerts'
import { bots } from '@shapecast/contracts/bots'
import { markets } from '@shapecast/contracts/market'
import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { selectableSymbols } from '#entities/markets/use-market-of.ts'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Column } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { FailureBanner } from '#wire/ui/failed-change.tsx'

const MOST_SYMBOLS = 100
const optionsOf = <Value extends string>(values: readonly Value[]) => values.map((value) => ({ value, label: value }))

/** Makes an alert, or changes one. */
export function AlertDialog({ alert, onClose }: { alert: Alert | null; onClose: () => void }) {
  const user = useUser()
  const known = useEndpointQuery(markets, {})
  const own = useEndpointQuery(bots, {}).data?.filter(({ userId }) => userId === user?.id) ?? []
  const create = useEndpointMutation(createAlert, { onSuccess: onClose })
  const change = useEndpointMutation(changeAlert, { onSuccess: onClose })
  const save = alert === null ? create : change
  const form = useContractForm(createAlert.body, {
    start: alert === null ? NEW_ALERT : formOf(alert),
    toBody: bodyOf,
    check: (typed): Partial<Record<keyof AlertForm, string>> =>
      'botId' in partsOf(typed) && typed.botId === '' ? { botId: 'must be one of your bots' } : {},
    refusal: save.error,
  })
  const { values, field } = form
  const submit = form.submit((body) =>
    alert === null ? create.mutate({ body }) : change.mutate({ params: { id: alert.id }, body }),
  )
  const parts = partsOf(values)
  return (
    <Dialog
      title={alert === null ? 'New alert' : 'Change alert'}
      onClose={onClose}
      actions={
        <DialogActions
          label={save.isPending ? 'Saving…' : 'Save'}
          isBusy={save.isPending}
          onCancel={onClose}
          onConfirm={() => void submit()}
        />
      }
    >
      <Column gap={1.5}>
        {form.failure !== null && <FailureBanner error={form.failure} text="The alert was not saved." />}
        <SelectField label="Tell me about" {...field('kind')} options={KINDS} />
        {'symbol' in parts && (
          <SelectField
            label="Symbol"
            {...field('symbol')}
            options={optionsOf([...new Set([values.symbol, ...selectableSymbols(known.data ?? [], MOST_SYMBOLS)])])}
          />
        )}
        {'timeframe' in parts && (
          <SelectField label="Timeframe" {...field('timeframe')} options={optionsOf(TIMEFRAMES)} />
        )}
        {'botId' in parts && (
          <SelectField
            label="Bot"
            {...field('botId')}
            options={own.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={own.length === 0 ? 'You have no bots' : 'Choose a bot'}
          />
        )}
        {'direction' in parts && (
          <SelectField label="When it goes" {...field('direction')} options={optionsOf(['above', 'below'] as const)} />
        )}
        {'price' in parts && <NumberField label="Price" unit="USDT" {...field('price')} />}
        {'condition' in parts && (
          <TextField
            label="Condition"
            autoComplete="off"
            {...form.text('condition')}
            help="As in rules of bots: rsi(14) > 70, ema(20) crosses above ema(50)"
          />
        )}
        {'signal' in parts && (
          <SelectField label="Signal" {...field('signal')} options={optionsOf(['BUY', 'SELL'] as const)} />
        )}
        {'pct' in parts && (
          <NumberField label="Drawdown" unit="%" {...field('pct')} help="Of its equity below its highest" />
        )}
        {'minutes' in parts && (
          <NumberField
            label="Silent for"
            unit="min"
            {...field('minutes')}
            help={
              'botId' in parts
                ? 'Past the close that it should decide at'
                : 'Past the close of a candle that does not come'
            }
          />
        )}
        <TextField label="Note" labelNote="optional" autoComplete="off" {...form.text('note')} />
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
  kind: AlertRule['kind']
  symbol: string
  timeframe: Timeframe
  direction: 'above' | 'below'
  price: number | null
  condition: string
  signal: 'BUY' | 'SELL'
  botId: string
  pct: number | null
  minutes: number | null
  note: string
  restMinutes: number | null
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

/** The fields of a kind of alert, as the contract names them. */
const partsOf = ({ kind }: Pick<AlertForm, 'kind'>) =>
  AlertRule.options.find(({ shape }) => shape.kind.value === kind)!.shape

/** The form of an alert that exists. */
export const formOf = ({ rule, note, restMinutes }: Pick<Alert, 'rule' | 'note' | 'restMinutes'>): AlertForm => ({
  ...NEW_ALERT,
  ...rule,
  note,
  restMinutes,
})

/** As the call takes it: the contract keeps what belongs to the kind. */
export const bodyOf = ({ note, restMinutes, ...rule }: AlertForm) => ({ rule, note, restMinutes })
