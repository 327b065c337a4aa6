import { MOST_BALANCE } from '@shapecast/contracts/bots'
import { holdsShare } from '@shapecast/contracts/policies'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { MARKET_TYPE_LABEL } from '#entities/bots/bot-words.ts'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { FieldRow, FormNote, FormSection, ToggleField, useBotForm } from './form-section.tsx'

/** What a bot is called, and what for. */
export function NameFields() {
  const { change, field } = useBotForm()
  return (
    <>
      <TextField {...field('name')} autoFocus onChange={(event) => change({ name: event.target.value })} />
      <TextField
        {...field('description')}
        placeholder="Optional"
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  )
}

export const TimeframeField = () => (
  <SelectField
    {...useBotForm().field('timeframe')}
    options={TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))}
  />
)

/** Name, money, pairs and kind of market. */
export function BasicsSection({ pairs }: { pairs: readonly string[] }) {
  const { form, change, errors, field } = useBotForm()
  const choosesHeld = holdsShare(form.policy) && form.tradingPairs.length > 1
  return (
    <FormSection title="Basics">
      <FieldRow columns="1fr 2fr 140px">
        <NameFields />
        <NumberField {...field('initialBalance')} min={10} max={MOST_BALANCE} step={10} unit="USDT" />
      </FieldRow>
      <FieldRow
        columns={choosesHeld ? 'minmax(0, 1fr) 136px 80px 150px 88px' : 'minmax(0, 2fr) 110px minmax(180px, 1fr) 100px'}
      >
        <MultiSelectField
          label="Trading pairs"
          values={form.tradingPairs}
          onChange={(tradingPairs) => change({ tradingPairs })}
          options={pairs}
          most={20}
          placeholder="Add a pair"
          error={errors.tradingPairs}
        />
        {choosesHeld && (
          <SelectField
            label="Holds"
            value={String(form.mostTraded ?? '')}
            onChange={(count) => change({ mostTraded: count === '' ? null : Number(count) })}
            options={[
              { value: '', label: `All ${form.tradingPairs.length}` },
              ...form.tradingPairs.slice(1).map((_, k) => ({ value: String(k + 1), label: `${k + 1} most traded` })),
            ]}
          />
        )}
        <TimeframeField />
        <ToggleField {...field('marketType')} choices={MARKET_TYPE_LABEL} />
        <NumberField
          {...field('leverage')}
          value={form.marketType === 'futures' ? form.leverage : null}
          min={1}
          max={100}
          step={1}
          unit="×"
          disabled={form.marketType === 'spot'}
          help={form.marketType === 'spot' ? 'Futures only' : undefined}
        />
      </FieldRow>
      {form.mostTraded !== null && (
        <FormNote>
          On the first of each month it takes the {form.mostTraded === 1 ? 'pair' : `${form.mostTraded} pairs`} that had
          the most traded value in the 30 days before.
          {form.isVirtual
            ? ' One that is no longer traded is sold at its last price, with the loss as it stands.'
            : ' One that is no longer traded stays yours: nobody may buy it.'}{' '}
          Coins that died are missing unless their candles are stored, so the past of such a choice looks better than it
          was.
        </FormNote>
      )}
    </FormSection>
  )
}
