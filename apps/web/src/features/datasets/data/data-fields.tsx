import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { TriangleAlert } from 'lucide-react'
import { utcDayStart } from '#entities/markets/market-range.ts'
import { formatCount, formatCounted } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { DateField } from '#kit/ui/date-field.tsx'
import { Columns } from '#kit/ui/layout.tsx'
import { MultiSelectField } from '#kit/ui/multi-select-field.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { Text } from '#kit/ui/text.tsx'
import css from './data-form.module.css'
import { MOST_CANDLES } from './dataset-window.ts'
import { type DataChoice, MOST_COINS } from './use-data-choice.ts'

const timeframeOptions = TIMEFRAMES.map((timeframe) => ({ value: timeframe, label: timeframe }))

/** Coins, timeframe, and the days from which to which. */
export function DataFields({ choice }: { choice: DataChoice }) {
  const { coins, timeframe, window } = choice
  return (
    <Columns
      gap={1.5}
      align="start"
      at={{ xs: 2, sm: 3, md: 'minmax(0, 1fr) 112px 160px 160px' }}
      className={css.fields}
    >
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
    </Columns>
  )
}

interface CandleCountsProps {
  counts: DataChoice['counts']
  /** Candles that a training needs at least, where the range has fewer; else null. */
  fewest: number | null
}

/** How many candles the range has, how many rows its export has, and whether they are enough to train on. */
export function CandleCounts({ counts, fewest }: CandleCountsProps) {
  const isTooShort = fewest !== null
  return (
    <div style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Text size="small" tone="text2">
        Candles by range <span style={{ color: colors.text, fontWeight: 600 }}>{formatCount(counts.candles)}</span>
        {counts.candles > 0 && (
          <span style={{ color: colors.text3 }}>
            {' '}
            · export has {formatCounted(counts.rows, 'row')}
            {counts.candles === MOST_CANDLES && ', the newest of the range'}
          </span>
        )}
      </Text>
      <Text
        size="small"
        tone={isTooShort ? 'warn' : 'text2'}
        above={0.5}
        style={{ display: 'flex', alignItems: 'flex-start', gap: 6 }}
      >
        <TriangleAlert size={14} aria-hidden style={{ marginTop: 2, flexShrink: 0 }} />
        <span>Training uses a candle count: last 400 + warmup ≈99 excluded</span>
      </Text>
      {isTooShort && (
        <Text size="small" tone="text2" above={0.5}>
          Too few to train on ({formatCount(fewest)} at least): Train latest takes the newest{' '}
          {formatCount(MOST_CANDLES)} candles.
        </Text>
      )}
    </div>
  )
}
