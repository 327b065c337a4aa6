import { models } from '@shapecast/contracts/ml'
import {
  CACHED_REASONING,
  type Prediction,
  predict,
  predictions,
  type SignalVerdict,
} from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { trackRecord } from '@shapecast/contracts/track-record'
import { RefreshCw, Scale, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { DEFAULT_SERIES } from '#entities/markets/lead-series.ts'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { directionWords } from '#entities/models/direction-verdict.ts'
import {
  forecastWords,
  formatCostPct,
  isPoor,
  paidWords,
  verdictSentence,
  verdictTitle,
} from '#entities/models/signal-words.ts'
import { useFirstModelState } from '#entities/trainings/first-model-note.tsx'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { formatPrice } from '#kit/format/money.ts'
import { directionOf, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { formatClock, formatDateTimeYear, formatExactTime, formatHour, formatTableTime } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, directionColor, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar, ProgressLine, progressPct } from '#kit/ui/progress-bar.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { REFRESH_MS, useEndpointMutation, useEndpointQuery, useLastError } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { FLUSH } from './list-cards.tsx'
import css from './signal-card.module.css'

const NEWEST = { query: { ...DEFAULT_SERIES, limit: 1 } } as const
const UNAVAILABLE = 'ML model unavailable or not trained'

type Said = Prediction & { readonly madeAt?: number }

/** What the current model says of the next hour. What it said stays where it cannot be asked again, with its time in amber. */
export function SignalCard() {
  const newest = useEndpointQuery(predictions, NEWEST, { refetchInterval: REFRESH_MS })
  const asked = useEndpointMutation(predict)
  const failure = useLastError(newest)
  const stored = newest.data?.at(-1)
  // What was asked for now is of the same candle as what is stored, with its reasons in words.
  const said: Said | undefined =
    asked.data !== undefined && (stored === undefined || asked.data.timestamp >= stored.timestamp)
      ? { ...stored, ...asked.data }
      : stored
  const isOld = said !== undefined && (asked.isError || failure !== null)
  return (
    <Card
      title="ML Signal"
      facts={
        said !== undefined && (
          <Row gap={1}>
            <Chip label={said.version} tone="outline" />
            {isOld ? (
              <Text as="span" size="small" tone="warn">
                as of {formatHour(closeOf(said))}
              </Text>
            ) : (
              `${DEFAULT_SERIES.symbol} ${DEFAULT_SERIES.timeframe}`
            )}
          </Row>
        )
      }
      actions={
        <div style={FLUSH}>
          <Button
            variant="text"
            size="small"
            startIcon={<RefreshCw size={14} />}
            {...busyButton(asked.isPending, () => asked.mutate({ body: DEFAULT_SERIES }))}
          >
            Refresh
          </Button>
        </div>
      }
    >
      {said !== undefined ? (
        <Signal said={said} />
      ) : !newest.isFetched ? (
        <SkeletonGroup label="Loading the signal">
          <Column gap={2}>
            <SkeletonBox height={32} />
            <SkeletonBox height={96} />
            <SkeletonBox height={54} />
          </Column>
        </SkeletonGroup>
      ) : (
        <NoSignal error={failure} />
      )}
      {asked.isError && (
        <Text role="alert" size="small" tone="down" above={1.5}>
          {errorText(asked.error, UNAVAILABLE)}
        </Text>
      )}
    </Card>
  )
}

/** Why there is no forecast, and what will stand here. */
function NoSignal({ error }: { error: unknown }) {
  const first = useFirstModelState().data
  const price = useTicker(DEFAULT_SERIES.symbol).data?.last ?? null
  const tickSize = useMarketOf(DEFAULT_SERIES.symbol)?.tickSize
  const isTraining = first?.state === 'training'
  return (
    <>
      <Text as="p" size="numberL">
        No forecast yet
      </Text>
      <Text size="small" tone="text2">
        {UNAVAILABLE}
      </Text>
      <Text size="small" tone="text2" above={0.5}>
        {isTraining
          ? `${first.version} is being trained and answers here by itself.`
          : error === null
            ? `A version in production that is trained on ${DEFAULT_SERIES.symbol} ${DEFAULT_SERIES.timeframe} answers here.`
            : (errorDetail(error) ?? errorText(error, UNAVAILABLE))}
      </Text>
      {isTraining && first.progress !== null && (
        <div style={{ marginTop: 16 }}>
          <ProgressBar
            words={progressWords(first.progress)}
            pct={Math.min(99, progressPct(first.progress.current, first.progress.total))}
          />
        </div>
      )}
      <dl className={css.rows}>
        <Line label="Current price" note="live" value={formatPrice(price, tickSize)} />
        {['LSTM prediction', 'Transformer prediction', 'Stop-loss'].map((label) => (
          <Line key={label} label={label} value={UNKNOWN} />
        ))}
      </dl>
      <Text size="small" tone="text2" above={1.5}>
        Then this card says whether a trade is worth its cost: BUY, SELL or HOLD, and how sure it is.
      </Text>
      {isTraining && (
        <Foot>
          <Note as="span">No forecast made yet</Note>
          <Note as="span">First one when trained</Note>
        </Foot>
      )}
    </>
  )
}

/** At the end of the card, however high that is. */
const Foot = ({ children }: { children: ReactNode }) => (
  <Row wrap between gap={1} lineGap={0.5} align="stretch" style={{ marginTop: 'auto', paddingTop: 16 }}>
    {children}
  </Row>
)

/** When the last candle that the model knew closed, ms. */
const closeOf = ({ timestamp }: Said): number => timestamp + TIMEFRAME_MS[DEFAULT_SERIES.timeframe]

/** Where nothing is traded, which side the stop would be of is not told by the signal. */
const stopLabel = ({ signal, stopLoss, current_price }: Said) =>
  signal === 'HOLD' ? `Stop-loss of a ${stopLoss < current_price ? 'long' : 'short'}` : 'Stop-loss'

function Signal({ said }: { said: Said }) {
  const tickSize = useMarketOf(DEFAULT_SERIES.symbol)?.tickSize
  const { current_price: price } = said
  const ticker = useTicker(DEFAULT_SERIES.symbol).data
  const inReplay = useHealth().data?.market === 'replay'
  const closeMs = closeOf(said)
  const nextMs = closeMs + TIMEFRAME_MS[DEFAULT_SERIES.timeframe]
  // A replay may hold other coins further on than this one.
  const clock = inReplay ? formatTableTime : formatHour
  const targetOf = (label: string, value: number, color?: string) => {
    const changePct = (value / price - 1) * 100
    const tone = color ?? directionColor(directionOf(changePct))
    return <Line label={label} note={formatChangePct(changePct)} color={tone} value={formatPrice(value, tickSize)} />
  }
  return (
    <div className={css.signal}>
      {said.verdict !== null && <Verdict verdict={said.verdict} />}
      <div className={css.call}>
        <div className={isPoor(said.verdict) ? undefined : css.bigChip}>
          <SignalChip signal={said.signal} isQuiet={isPoor(said.verdict)} />
        </div>
        <div className={layout.grow}>
          <Row gap={1} between style={{ marginBottom: 6 }}>
            <Note as="span" tone="text2">
              Confidence
            </Note>
            <Text as="span" size="label" weight={600} style={{ fontSize: '0.875rem' }}>
              {formatShareRatio(said.confidence)}
            </Text>
          </Row>
          <ProgressLine pct={said.confidence * 100} aria-label="Confidence" />
        </div>
      </div>
      <dl className={css.rows}>
        <Line label="Current price" note="live" value={formatPrice(ticker?.last, tickSize)} />
        <Line label={`Close at ${clock(closeMs)}`} value={formatPrice(price, tickSize)} />
      </dl>
      <Note className={css.under}>Predicted for the close at {clock(nextMs)}</Note>
      <dl className={css.rows}>
        {targetOf('LSTM prediction', said.lstm_prediction)}
        {targetOf('Transformer prediction', said.transformer_prediction)}
        {/* Above or below the price, getting there is a loss. */}
        {targetOf(stopLabel(said), said.stopLoss, colors.down)}
      </dl>
      <Text size="small" tone="text2" above={1.5}>
        {said.reasoning === CACHED_REASONING ? forecastWords(said) : said.reasoning}
      </Text>
      {said.verdict?.code === 'worth_trading' && <PaidCalls version={said.version} />}
      <DirectionCaution version={said.version} />
      {said.madeAt !== undefined && (
        <Foot>
          <Note as="span" title={formatExactTime(inReplay ? closeMs : said.madeAt)}>
            {inReplay ? `From the close at ${formatDateTimeYear(closeMs)}` : `Updated ${formatClock(said.madeAt)}`}
          </Note>
          {!inReplay && <Note as="span">Next at {formatHour(nextMs)}</Note>}
        </Foot>
      )}
    </div>
  )
}

const Line = ({ label, note, color, value }: { label: string; note?: string; color?: string; value: string }) => (
  <Row between gap={1} align="stretch">
    <Text as="dt" size="small" tone="text2">
      {label}
    </Text>
    <Text as="dd" weight={500}>
      {note !== undefined && (
        <Text as="span" weight={400} tone="text3" style={{ marginRight: 8, ...(color && { color }) }}>
          {note}
        </Text>
      )}
      {value}
    </Text>
  </Row>
)

/** Whether a trade is worth its costs, in words, and what it would gain beside what it would cost. */
function Verdict({ verdict }: { verdict: SignalVerdict }) {
  const { expectedBps, costBps } = verdict
  return (
    <div style={{ marginBottom: 16 }}>
      <Text as="p" size="numberL">
        {verdictTitle(verdict)}
      </Text>
      <Text size="small" tone="text2">
        {verdictSentence(verdict, DEFAULT_SERIES.timeframe)}
      </Text>
      {expectedBps !== null && costBps !== null && <CostBar expectedBps={expectedBps} costBps={costBps} />}
    </div>
  )
}

/** How much of the cost a trade is expected to gain; the tick is the cost. */
function CostBar({ expectedBps, costBps }: { expectedBps: number; costBps: number }) {
  const shareOf = (bps: number) => (100 * Math.max(0, bps)) / Math.max(1.2 * expectedBps, 2.7 * costBps, Number.EPSILON)
  const words = [`expected ${formatChangePct(expectedBps / 100)}`, `cost ${formatCostPct(costBps)}`]
  return (
    <div style={{ marginTop: 12 }}>
      <div aria-hidden="true" style={{ position: 'relative' }}>
        <ProgressLine pct={shareOf(expectedBps)} />
        <span className={css.costTick} style={{ left: `${shareOf(costBps)}%` }} />
      </div>
      <Row gap={1} between above={1}>
        {(costBps <= expectedBps ? words.toReversed() : words).map((one) => (
          <Note as="span" key={one} tone="text2">
            {one}
          </Note>
        ))}
      </Row>
    </div>
  )
}

/** How often such calls of the version paid live: sealed ones alone. */
function PaidCalls({ version }: { version: string }) {
  const query = { ...DEFAULT_SERIES, limit: 1 }
  const record = useEndpointQuery(trackRecord, { params: { version }, query }, { refetchInterval: REFRESH_MS }).data
  if (record === undefined) return null
  const [series] = record.series
  return (
    <Text size="small" tone="text2" above={1} className={css.caution}>
      <Scale size={14} aria-hidden />
      {paidWords(series?.worthCalls ?? { made: 0, paid: 0, interval: null })}
    </Text>
  )
}

/** Says in amber where a version's arrow is worth no more than a naive rule. */
function DirectionCaution({ version }: { version: string }) {
  const { data } = useEndpointQuery(models, {}, { refetchInterval: REFRESH_MS })
  const artifact = data?.models
    .find((model) => model.version === version)
    ?.artifacts.find((one) => one.symbol === DEFAULT_SERIES.symbol && one.timeframe === DEFAULT_SERIES.timeframe)
  if (artifact?.direction.holdsUp !== false) return null
  return (
    <Text size="small" tone="warn" above={1} className={css.caution}>
      <TriangleAlert size={14} aria-hidden />
      Direction: {directionWords(artifact.direction).words}
    </Text>
  )
}
