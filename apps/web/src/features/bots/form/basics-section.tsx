import { MOST_BALANCE } from '@shapecast/contracts/bots'
import { holdsShare } from '@shapecast/contracts/policies'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { fieldsOf } from '#kit/ui/field.tsx'
import { MultiSelectField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { FieldRow, FormNote, FormSection, type SectionProps, ToggleField } from './form-section.tsx'

/** What a bot is called, and what for. */
export const NameFields = ({ form, change, errors }: SectionProps) => (
  <>
    <TextField
      label="Name"
      autoFocus
      value={form.name}
      onChange={(event) => change({ name: event.target.value })}
      error={errors.name}
    />
    <TextField
      label="Description"
      placeholder="Optional"
      value={form.description}
      onChange={(event) => change({ description: event.target.value })}
      error={errors.description}
    />
  </>
)

/** Name, money, pairs and kind of market. */
export function BasicsSection({ form, change, errors, pairs }: SectionProps & { pairs: readonly string[] }) {
  const field = fieldsOf(form, change, errors)
  const choosesHeld = holdsShare(form.policy) && form.tradingPairs.length > 1
  return (
    <FormSection title="Basics">
      <FieldRow columns="1fr 2fr 140px">
        <NameFields {...{ form, change, errors }} />
        <NumberField
          label="Initial balance"
          {...field('initialBalance')}
          min={10}
          max={MOST_BALANCE}
          step={10}
          unit="USDT"
        />
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
        <SelectField
          label="Candles"
          {...field('timeframe')}
          options={TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))}
        />
        <ToggleField
          label="Market type"
          value={form.marketType}
          onChange={(marketType) => change({ marketType })}
          choices={[
            { value: 'spot', label: 'Spot' },
            { value: 'futures', label: 'Futures' },
          ]}
        />
        <NumberField
          label="Leverage"
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
