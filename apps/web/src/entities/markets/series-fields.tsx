import { TIMEFRAMES, type Timeframe } from '@shapecast/contracts/timeframes'
import { SelectField } from '#kit/ui/select-field.tsx'
import { selectableSymbols, useMarkets } from './use-market-of.ts'

const MOST_SYMBOLS = 50

export interface SeriesChoice {
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** Chooses the series of a form: a symbol among those that trade most, or the one that stands there, and a timeframe. */
export function SeriesFields({
  symbol,
  timeframe,
  onChange,
}: SeriesChoice & { onChange: (part: Partial<SeriesChoice>) => void }) {
  const symbols = selectableSymbols(useMarkets().data ?? [], MOST_SYMBOLS)
  return (
    <>
      <SelectField
        label="Symbol"
        value={symbol}
        onChange={(next) => onChange({ symbol: next })}
        options={[...new Set([symbol, ...symbols])].map((value) => ({ value, label: value }))}
      />
      <SelectField
        label="Timeframe"
        value={timeframe}
        onChange={(next) => onChange({ timeframe: next })}
        options={TIMEFRAMES.map((value) => ({ value, label: value }))}
      />
    </>
  )
}
