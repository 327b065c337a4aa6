import { holdsShare } from '@shapecast/contracts/policies'
import { TIMEFRAMES } from '@shapecast/contracts/timeframes'
import { CostFields } from '#entities/bots/cost-fields.tsx'
import { utcDayEnd, utcDayStart } from '#entities/markets/market-range.ts'
import { formatCount } from '#kit/format/number.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { Button } from '#kit/ui/button.tsx'
import { DateField } from '#kit/ui/large-fields.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { Columns, Note, Row } from '#kit/ui/primitives.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { TextField } from '#kit/ui/text-field.tsx'
import { candlesInRange, limitOf, posterOf, rangeHint } from './backtest-request.ts'
import { useBacktest } from './use-backtest.ts'

/** From, To, timeframe and how many candles that makes. */
export function RangeFields() {
  const { form, test, choices } = useBacktest()
  const { change, errors } = form
  const { series, kind } = choices
  const { parameters, range, nowMs, symbol, timeframe, isTimeframe } = test
  const hint =
    symbol === undefined || series === undefined || !isTimeframe
      ? null
      : rangeHint(range, test.stored, kind, symbol, timeframe)
  const inRange = isTimeframe ? candlesInRange(range, timeframe) : 0
  const isDerived = parameters.limit === 'derived'
  const limit = isDerived && !isTimeframe ? null : limitOf(parameters.limit, range, timeframe)
  const isMoved = parameters.fromMs !== null || parameters.toMs !== null
  return (
    <>
      <div>
        <Columns gap={1.5} at={{ xs: 2 }}>
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
        </Columns>
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
      <Columns gap={1.5} at={{ xs: 2 }}>
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
      </Columns>
      {limit !== null && limit > 0 && inRange > 0 && inRange !== limit && (
        <Note as="span" above={-0.75}>
          The range holds {formatCount(inRange)} candles
          {inRange > limit ? `; the last ${formatCount(limit)} are tested.` : ', fewer than the limit.'}
        </Note>
      )}
    </>
  )
}

/** Leaves out what the model has seen: only the rest says how good it is. */
export function UnseenSwitch() {
  const { form, test } = useBacktest()
  const { parameters, unseen, unseenFrom } = test
  return (
    <SwitchRow
      title="Unseen candles only"
      text={
        unseenFrom === null
          ? 'It is not known which candles were trained on.'
          : unseen === null
            ? `None in this range: the model has seen all up to ${formatDateTimeYear(unseenFrom)}.`
            : `${formatCount(unseen.candles)}, from ${formatDateTimeYear(unseen.range.fromMs)}`
      }
      warns={unseenFrom !== null && unseen === null}
      checked={parameters.unseenOnly && unseen !== null}
      disabled={unseen === null}
      onChange={(unseenOnly) => form.change({ unseenOnly })}
    />
  )
}

/** What each fill of the tested bot or model costs. */
export function TestCosts() {
  const { form, test } = useBacktest()
  const { parameters, bot, symbol } = test
  const balance =
    parameters.mode === 'bot' ? bot && bot.initialBalance / bot.tradingPairs.length : parameters.initialBalance
  const poster = posterOf({ ...test, mode: parameters.mode })
  return (
    <CostFields
      values={parameters}
      change={form.change}
      errors={form.errors}
      order={symbol === undefined || balance == null ? null : { symbol, notional: balance }}
      market={parameters.mode === 'bot' ? (bot?.marketType ?? 'spot') : 'futures'}
      poster={holdsShare(poster.policy) ? poster : null}
    />
  )
}
