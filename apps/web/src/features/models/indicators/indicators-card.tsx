import { Box, Typography } from '@mui/material'
import { type Indicators, indicators } from '@shapecast/contracts/indicators'
import { memo } from 'react'
import { formatPrice } from '#kit/format/money.ts'
import { formatFixed, formatSigned, MINUS } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { EmptyLine } from '#kit/ui/empty-state.tsx'
import { RetryButton } from '#kit/ui/retry-button.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { useRefreshMs } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useLastError } from '#wire/calls/use-last-error.ts'
import { useUser } from '#wire/session/auth-context.ts'
import type { TestedSeries } from '../list/use-model-test.ts'
import { Gauge } from './gauge.tsx'
import { failureOf } from './indicators-failure.ts'

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
    <Box sx={{ minWidth: 0 }}>
      <Typography component="dt" variant="label" sx={{ color: colors.text2, fontWeight: 400 }}>
        {label}
      </Typography>
      <Typography component="dd" sx={{ m: 0, mt: 0.5, fontWeight: 600 }}>
        {price}
      </Typography>
    </Box>
  )
}

function IndicatorValues({ values, tickSize }: { values: Indicators; tickSize: number | undefined }) {
  const price = (value: number) => formatPrice(value, tickSize)
  const { bollinger } = values
  return (
    <Box sx={valuesStyle}>
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
      <Box component="dl" sx={levelsStyle}>
        <Level label="EMA 20" price={price(values.ema.ema20)} />
        <Level label="Bollinger upper" price={price(bollinger.upper)} />
        <Level label="Bollinger middle" price={price(bollinger.middle)} />
        <Level label="Bollinger lower" price={price(bollinger.lower)} />
      </Box>
    </Box>
  )
}

/** The classic indicators of the first chosen coin at its last closed candle. */
export const IndicatorsCard = memo(function IndicatorsCard({
  series,
  tickSize,
  isWaiting,
  isUnknown,
}: {
  series: TestedSeries | null
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
    { enabled: isSignedIn && series !== null, refetchInterval: useRefreshMs() },
  )
  const error = useLastError(reply)
  const failure = failureOf(isSignedIn, error, isUnknown && series === null)
  return (
    <Card title="Technical Indicators" facts={series === null ? undefined : `${series.symbol} · ${series.timeframe}`}>
      {reply.data !== undefined && <IndicatorValues values={reply.data} tickSize={tickSize} />}
      {reply.data === undefined && failure !== null && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5 }}>
          <Box sx={{ flex: '1 1 240px', minWidth: 0 }}>
            <Typography>{failure.title}</Typography>
            {failure.detail !== null && (
              <Typography variant="small" component="p" sx={{ m: 0, mt: 0.25, color: colors.text2 }}>
                {failure.detail}
              </Typography>
            )}
          </Box>
          {isSignedIn && series !== null && <RetryButton reply={reply} />}
        </Box>
      )}
      {((reply.isLoading && failure === null) || (isSignedIn && series === null && isWaiting)) && (
        <SkeletonGroup label="Loading the indicators">
          <SkeletonBox height={58} />
        </SkeletonGroup>
      )}
      {isSignedIn && series === null && !isWaiting && failure === null && (
        <Box sx={{ mx: -2, mb: -1 }}>
          <EmptyLine>Choose a coin to see its indicators</EmptyLine>
        </Box>
      )}
    </Card>
  )
})

const valuesStyle = {
  display: 'grid',
  alignItems: 'start',
  columnGap: 4,
  rowGap: 2,
  gridTemplateColumns: {
    xs: 'minmax(0, 1fr)',
    md: 'repeat(3, minmax(0, 1fr))',
    lg: 'repeat(3, minmax(0, 1fr)) auto',
  },
} as const
const levelsStyle = {
  m: 0,
  display: 'grid',
  columnGap: 3.5,
  rowGap: 1.5,
  gridColumn: { md: '1 / -1', lg: 'auto' },
  gridTemplateColumns: { xs: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))', lg: 'repeat(4, auto)' },
  pl: { lg: 4 },
  borderLeft: { lg: `1px solid ${colors.divider}` },
} as const
