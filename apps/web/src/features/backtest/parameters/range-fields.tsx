import { Button } from '@mui/material'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { utcDayEnd, utcDayStart } from '#entities/markets/market-range.ts'
import { formatCount } from '#kit/format/number.ts'
import { DateField } from '#kit/ui/date-field.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Note } from '#kit/ui/text.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { candlesInRange, limitOf } from './backtest-request.ts'
import { TwoColumns } from './two-columns.tsx'
import type { ParametersControl } from './use-parameters.ts'

/** From, To, timeframe and how many candles that makes. */
export function RangeFields({ control }: { control: ParametersControl }) {
  const { parameters, change, range, nowMs, hint, timeframe, isTimeframe } = control
  const { errors } = control.form
  const inRange = isTimeframe ? candlesInRange(range, timeframe) : 0
  const isDerived = parameters.limit === 'derived'
  const limit = isDerived && !isTimeframe ? null : limitOf(parameters.limit, range, timeframe)
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
              <Button variant="text" size="small" onClick={() => change({ fromMs: null, toMs: null })}>
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
