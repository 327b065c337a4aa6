import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { MultiSelectField } from '../../../shared/ui/multi-select-field.tsx'
import { NumberField } from '../../../shared/ui/number-field.tsx'
import { SelectField } from '../../../shared/ui/select-field.tsx'
import { TextField } from '../../../shared/ui/text-field.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group.tsx'
import type { SectionProps } from './bot-form-sections.ts'
import { FieldRow, FormSection, LabelledToggle } from './form-section.tsx'

/** Name, money, pairs and kind of market. */
export function BasicsSection({ form, change, errors, pairs }: SectionProps & { pairs: readonly string[] }) {
  return (
    <FormSection title="Basics">
      <FieldRow columns="1fr 2fr 140px">
        <TextField
          label="Name"
          autoFocus
          value={form.name}
          onChange={(event) => change({ name: event.target.value })}
          error={errors.name}
        />
        <TextField
          label="Description"
          value={form.description}
          onChange={(event) => change({ description: event.target.value })}
        />
        <NumberField
          label="Initial balance"
          value={form.initialBalance}
          onChange={(initialBalance) => change({ initialBalance })}
          min={10}
          step={10}
          unit="USDT"
          error={errors.initialBalance}
        />
      </FieldRow>
      <FieldRow columns="minmax(0, 2fr) 110px minmax(180px, 1fr) 100px">
        <MultiSelectField
          label="Trading pairs"
          values={form.tradingPairs}
          onChange={(tradingPairs) => change({ tradingPairs })}
          options={pairs}
          most={20}
          placeholder="Add a pair"
          error={errors.tradingPairs}
        />
        <SelectField
          label="Candles"
          value={form.timeframe}
          onChange={(timeframe) => change({ timeframe })}
          options={TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))}
          error={errors.timeframe}
        />
        <LabelledToggle label="Market type">
          <ToggleGroup
            label="Market type"
            fullWidth
            value={form.marketType}
            onChange={(marketType) => change({ marketType })}
            choices={[
              { value: 'spot', label: 'Spot' },
              { value: 'futures', label: 'Futures' },
            ]}
          />
        </LabelledToggle>
        <NumberField
          label="Leverage"
          value={form.marketType === 'futures' ? form.leverage : null}
          onChange={(leverage) => change({ leverage })}
          min={1}
          max={100}
          step={1}
          unit="×"
          disabled={form.marketType === 'spot'}
          error={errors.leverage}
        />
      </FieldRow>
    </FormSection>
  )
}
