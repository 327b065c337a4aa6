import { ApiError } from '@shapecast/contracts/client'
import { type Indicators, indicators } from '@shapecast/contracts/indicators'
import { memo } from 'react'
import type { SeriesChoice } from '#entities/markets/series-fields.tsx'
import { formatPrice } from '#kit/format/money.ts'
import { formatFixed, formatSigned, MINUS } from '#kit/format/number.ts'
import { RetryButton } from '#kit/ui/button.tsx'
import { Card, EmptyLine, SkeletonGroup } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Columns, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { REFRESH_MS, useEndpointQuery, useLastError } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'
import css from './indicators-card.module.css'

const LIMIT = 300
interface Scale {
  readonly from: number
  readonly to: number
  /** The shaded part. */
  readonly usual: readonly [low: number, high: number]
  readonly words: readonly [low: string, high: string]
  readonly write: (value: number) => string
}
const OVERSOLD: Scale = {
  from: 0,
  to: 100,
  usual: [30, 70],
  words: ['Oversold below 30', 'Overbought above 70'],
  write: (value) => formatFixed(value, 1),
}
const DEVIATIONS: Scale = {
  from: -3,
  to: 3,
  usual: [-2, 2],
  words: [`${MINUS}3`, '+3'],
  write: (value) => formatSigned(value, 2),
}

function IndicatorValues({ values, tickSize }: { values: Indicators; tickSize: number | undefined }) {
  const { ema, bollinger } = values
  const levels = {
    'EMA 20': ema.ema20,
    'Bollinger upper': bollinger.upper,
    'Bollinger middle': bollinger.middle,
    'Bollinger lower': bollinger.lower,
  }
  return (
    <Columns gap={4} lineGap={2} align="start" at={{ md: 3, lg: 'repeat(3, minmax(0, 1fr)) auto' }}>
      <Gauge label="RSI" value={values.rsi} {...OVERSOLD} />
      <Gauge label="Z-Score" value={values.zScore} {...DEVIATIONS} />
      <Gauge label="Ultimate Oscillator" value={values.ultimateOscillator} {...OVERSOLD} />
      <Columns as="dl" gap={3.5} lineGap={1.5} at={{ xs: 2, sm: 4, lg: 'repeat(4, auto)' }} className={css.levels}>
        {Object.entries(levels).map(([label, price]) => (
          <div key={label} className={layout.shrinks}>
            <Note as="dt" tone="text2">
              {label}
            </Note>
            <Text as="dd" weight={600} above={0.5}>
              {formatPrice(price, tickSize)}
            </Text>
          </div>
        ))}
      </Columns>
    </Columns>
  )
}

/** The classic indicators of the first chosen coin at its last closed candle. */
export const IndicatorsCard = memo(function IndicatorsCard({
  series,
  tickSize,
  isWaiting,
  isUnknown,
}: {
  series: SeriesChoice | null
  tickSize: number | undefined
  /** While it is not known yet which coins there are. */
  isWaiting: boolean
  /** Where it could not be found out. */
  isUnknown: boolean
}) {
  const isSignedIn = useUser() !== null
  const reply = useEndpointQuery(
    indicators,
    { body: { symbol: series?.symbol ?? '', timeframe: series?.timeframe, limit: LIMIT } },
    { enabled: isSignedIn && series !== null, refetchInterval: REFRESH_MS },
  )
  const error = useLastError(reply)
  const failure = failureOf(isSignedIn, error, isUnknown && series === null)
  return (
    <Card title="Technical Indicators" facts={series === null ? undefined : `${series.symbol} · ${series.timeframe}`}>
      {reply.data !== undefined && <IndicatorValues values={reply.data} tickSize={tickSize} />}
      {reply.data === undefined && failure !== null && (
        <Row gap={1.5} wrap>
          <div style={{ flex: '1 1 240px', minWidth: 0 }}>
            <Text>{failure.title}</Text>
            {failure.detail !== null && (
              <Text size="small" tone="text2" above={0.25}>
                {failure.detail}
              </Text>
            )}
          </div>
          {isSignedIn && series !== null && <RetryButton reply={reply} />}
        </Row>
      )}
      {((reply.isLoading && failure === null) || (isSignedIn && series === null && isWaiting)) && (
        <SkeletonGroup label="Loading the indicators" height={58} />
      )}
      {isSignedIn && series === null && !isWaiting && failure === null && (
        <div style={{ marginInline: -16, marginBottom: -8 }}>
          <EmptyLine>Choose a coin to see its indicators</EmptyLine>
        </div>
      )}
    </Card>
  )
})

/** A figure on its track: where it stands between low and high, and the shaded part that is usual. */
function Gauge({ label, value, from, to, usual, words, write }: Scale & { label: string; value: number }) {
  const pctAt = (at: number) => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
  return (
    <Column
      gap={0.75}
      role="meter"
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={Math.min(to, Math.max(from, value))}
      aria-valuetext={write(value)}
      className={layout.shrinks}
    >
      <Row gap={1} align="stretch" between>
        <Text as="span" size="small" tone="text2">
          {label}
        </Text>
        <Text as="span" weight={600}>
          {write(value)}
        </Text>
      </Row>
      <div aria-hidden className={css.track}>
        <div className={css.usual} style={{ left: `${pctAt(usual[0])}%`, right: `${100 - pctAt(usual[1])}%` }} />
        <div className={css.mark} style={{ left: `clamp(1px, ${pctAt(value)}%, calc(100% - 2px))` }} />
      </div>
      <Row gap={1} align="stretch" between>
        {words.map((word) => (
          <Note key={word} as="span">
            {word}
          </Note>
        ))}
      </Row>
    </Column>
  )
}

const KEYS_REQUIRED = 'Indicators unavailable (API keys required)'
const UNAVAILABLE = 'Indicators unavailable'

/** Why there are no indicators: without leave to ask for them keys are required; else the server's own words, if any. */
export function failureOf(isSignedIn: boolean, error: unknown, areCoinsUnknown: boolean) {
  if (!isSignedIn) return { title: KEYS_REQUIRED, detail: null }
  if (areCoinsUnknown) return { title: UNAVAILABLE, detail: 'The coins could not be loaded.' }
  if (error === null) return null
  if (!(error instanceof ApiError)) return { title: UNAVAILABLE, detail: null }
  const needsKeys = error.status === 401 || error.status === 403 || error.code === 'venue_auth_failed'
  return needsKeys ? { title: KEYS_REQUIRED, detail: null } : { title: UNAVAILABLE, detail: error.message }
}
