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
const OVERSOLD = {
  usual: [30, 70],
  lowWord: 'Oversold below 30',
  highWord: 'Overbought above 70',
  from: 0,
  to: 100,
} as const

function Level({ label, price }: { label: string; price: string }) {
  return (
    <div className={layout.shrinks}>
      <Note as="dt" tone="text2">
        {label}
      </Note>
      <Text as="dd" weight={600} above={0.5}>
        {price}
      </Text>
    </div>
  )
}

function IndicatorValues({ values, tickSize }: { values: Indicators; tickSize: number | undefined }) {
  const price = (value: number) => formatPrice(value, tickSize)
  const { bollinger } = values
  return (
    <Columns gap={4} lineGap={2} align="start" at={{ md: 3, lg: 'repeat(3, minmax(0, 1fr)) auto' }}>
      <Gauge label="RSI" value={values.rsi} text={formatFixed(values.rsi, 1)} {...OVERSOLD} />
      <Gauge
        label="Z-Score"
        value={values.zScore}
        text={formatSigned(values.zScore, 2)}
        from={-3}
        to={3}
        usual={[-2, 2]}
        lowWord={`${MINUS}3`}
        highWord="+3"
      />
      <Gauge
        label="Ultimate Oscillator"
        value={values.ultimateOscillator}
        text={formatFixed(values.ultimateOscillator, 1)}
        {...OVERSOLD}
      />
      <Columns as="dl" gap={3.5} lineGap={1.5} at={{ xs: 2, sm: 4, lg: 'repeat(4, auto)' }} className={css.levels}>
        <Level label="EMA 20" price={price(values.ema.ema20)} />
        <Level label="Bollinger upper" price={price(bollinger.upper)} />
        <Level label="Bollinger middle" price={price(bollinger.middle)} />
        <Level label="Bollinger lower" price={price(bollinger.lower)} />
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

/** A figure, as `text` says it, on its track: where it stands between low and high, and the shaded part that is usual. */
function Gauge({
  label,
  value,
  text,
  from,
  to,
  usual,
  lowWord,
  highWord,
}: Record<'label' | 'text' | 'lowWord' | 'highWord', string> &
  Record<'value' | 'from' | 'to', number> & { usual: readonly [low: number, high: number] }) {
  const pctAt = (at: number) => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
  return (
    <Column
      gap={0.75}
      role="meter"
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={to}
      aria-valuenow={Math.min(to, Math.max(from, value))}
      aria-valuetext={text}
      className={layout.shrinks}
    >
      <Row gap={1} align="stretch" between>
        <Text as="span" size="small" tone="text2">
          {label}
        </Text>
        <Text as="span" weight={600}>
          {text}
        </Text>
      </Row>
      <div aria-hidden className={css.track}>
        <div className={css.usual} style={{ left: `${pctAt(usual[0])}%`, right: `${100 - pctAt(usual[1])}%` }} />
        <div className={css.mark} style={{ left: `clamp(1px, ${pctAt(value)}%, calc(100% - 2px))` }} />
      </div>
      <Row gap={1} align="stretch" between>
        {[lowWord, highWord].map((word) => (
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
