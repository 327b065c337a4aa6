import { Button } from '@mui/material'
import { TIMEFRAMES, Timeframe } from '@shapecast/contracts/timeframes'
import { type TimeRange, utcDayEnd, utcDayStart } from '#entities/markets/market-range.ts'
import { formatCount } from '#kit/format/number.ts'
import { DateField } from '#kit/ui/date-field.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Note } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { candlesInRange, derivedLimit, type FieldErrors, limitOf } from './check-parameters.ts'
import type { RangeHint } from './date-range.ts'
import type { Parameters } from './parameters.ts'
import { TwoColumns } from './two-columns.tsx'

export interface RangeFieldsProps {
  parameters: Parameters
  change: (change: Partial<Parameters>) => void
  range: TimeRange
  nowMs: number
  hint: RangeHint | null
  /** Goes back to the newest 30 days that there are. */
  onFollowMarket: () => void
  errors: FieldErrors
}

/** From, To, timeframe and how many candles that makes. */
export function RangeFields({ parameters, change, range, nowMs, hint, onFollowMarket, errors }: RangeFieldsProps) {
  const known = Timeframe.safeParse(parameters.timeframe.trim())
  const inRange = known.success ? candlesInRange(range, known.data) : 0
  const limit =
    typeof parameters.limit === 'string'
      ? limitOf(parameters.limit, derivedLimit(range, parameters.timeframe.trim()))
      : parameters.limit
  const isMoved = parameters.fromMs !== null || parameters.toMs !== null
  return (
    <>
      <div>
        <TwoColumns>
          <DateField
            label="From"
            value={utcDayStart(range.fromMs)}
            onChange={(day) => change({ fromMs: day })}
            maxMs={nowMs}
          />
          <DateField
            label="To"
            value={utcDayStart(range.toMs - 1)}
            onChange={(day) => change({ toMs: day === null ? null : utcDayEnd(day, nowMs) })}
            maxMs={nowMs}
          />
        </TwoColumns>
        {errors.range !== undefined && (
          <Note tone="down" above={0.75} role="alert">
            {errors.range}
          </Note>
        )}
        {hint !== null && (
          <Row gap={1} wrap above={0.75} style={{ rowGap: 0 }}>
            <Note as="span" breaks tone={hint.outside ? 'warn' : 'text3'}>
              {hint.text}
            </Note>
            {hint.outside && isMoved && (
              <Button variant="text" size="small" onClick={onFollowMarket}>
                Use the newest
              </Button>
            )}
          </Row>
        )}
      </div>
      <TwoColumns>
        <TextField
          label="Timeframe"
          value={parameters.timeframe}
          onChange={(event) => change({ timeframe: event.target.value })}
          autoComplete="off"
          suggestions={TIMEFRAMES}
          placeholder={TIMEFRAMES.join(', ')}
          error={errors.timeframe}
        />
        <NumberField
          label="Candles limit"
          value={limit}
          onChange={(value) => change({ limit: value })}
          min={1}
          step={1}
          error={errors.limit}
        />
      </TwoColumns>
      {limit !== null && limit > 0 && inRange > 0 && inRange !== limit && (
        <Note as="span" above={-0.75}>
          The range holds {formatCount(inRange)} candles
          {inRange > limit ? `; the last ${formatCount(limit)} are tested.` : ', fewer than the limit.'}
        </Note>
      )}
    </>
  )
}
