import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { utcDayStart } from '#entities/markets/market-range.ts'
import { DateField } from '#kit/ui/date-field.tsx'
import { MultiSelectField } from '#kit/ui/multi-select-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { MOST_COINS } from './choice-search.ts'
import css from './data-fields.module.css'
import type { DataChoice } from './use-data-choice.ts'

const timeframeOptions = TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))

/** Coins, timeframe, and the days from which to which. */
export function DataFields({ choice }: { choice: DataChoice }) {
  const { coins, timeframe, window } = choice
  return (
    <div className={css.fields}>
      <MultiSelectField
        label="Coins"
        labelNote={`${coins.length} of ${MOST_COINS}`}
        values={coins}
        onChange={choice.setCoins}
        options={choice.symbols}
        most={MOST_COINS}
        placeholder={choice.isLoadingSymbols ? 'Loading the coins…' : 'Add a coin'}
        emptyText={choice.symbols.length === 0 ? 'No coins are known yet' : 'No coin of that name'}
        error={choice.areSymbolsMissing ? "The coins could not be loaded. 'Refresh Data' tries again." : undefined}
      />
      <SelectField label="Timeframe" value={timeframe} onChange={choice.setTimeframe} options={timeframeOptions} />
      <DateField
        label="From"
        value={window.fromMs === null ? null : utcDayStart(window.fromMs)}
        onChange={choice.setFrom}
        maxMs={choice.nowMs}
        error={choice.errors.from}
      />
      <DateField
        label="To"
        value={window.toMs === null ? null : utcDayStart(window.toMs - 1)}
        onChange={choice.setTo}
        maxMs={choice.nowMs}
        error={choice.errors.to}
      />
    </div>
  )
}
