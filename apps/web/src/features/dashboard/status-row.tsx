import { mlHealth } from '@shapecast/contracts/ml'
import { Check, X } from 'lucide-react'
import { Sparkline } from '#charts/plots/sparkline.tsx'
import { CHART_CANDLES, DEFAULT_SERIES } from '#entities/markets/lead-series.ts'
import { marketLabel } from '#entities/markets/market-label.ts'
import { useCandles } from '#entities/markets/use-candles.ts'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { useFirstModelState } from '#entities/trainings/first-model-note.tsx'
import { formatPrice } from '#kit/format/money.ts'
import { directionOf, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct, formatInterval, formatShareRatio } from '#kit/format/percent.ts'
import { formatDate, formatDateTimeYear } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { Ago } from '#kit/ui/ago.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip, HealthDot } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Columns, directionColor } from '#kit/ui/primitives.tsx'
import { progressPct } from '#kit/ui/progress-bar.tsx'
import { StatusCard } from '#kit/ui/status-card.tsx'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './dashboard.module.css'

const SPARK_CANDLES = 24

/** System, price, model and connection at a glance. */
export const StatusRow = () => (
  <Columns as="section" gap={0} at={{ xs: 2, md: 4 }} style={{ gap: 'var(--gap)' }} aria-label="Status">
    <SystemCard />
    <PriceCard />
    <ModelCard />
    <SocketCard />
  </Columns>
)

const loadingValue = (
  <SkeletonGroup>
    <SkeletonBox width={96} height={22} />
  </SkeletonGroup>
)

function SystemCard() {
  const { data, isError, isFetched } = useHealth()
  const isRunning = data?.status === 'ok' && !isError
  const market = data === undefined ? null : marketLabel(data)
  const standsAt = data?.market === 'replay' ? data.marketTime : null
  return (
    <StatusCard
      label="System"
      value={
        !isFetched ? (
          loadingValue
        ) : (
          <HealthDot state={isRunning ? 'good' : 'bad'}>{isRunning ? 'Running' : 'Error'}</HealthDot>
        )
      }
      evidence={
        market !== null && (
          <>
            {data?.market !== 'live' && (
              <span style={{ color: colors.warn }}>
                {market.text}
                {standsAt !== null && (
                  <>
                    {' · '}
                    <span className={layout.onlyWide}>{formatDateTimeYear(standsAt)}</span>
                    <span className={layout.onlyNarrow}>{formatDate(standsAt)}</span>
                  </>
                )}
              </span>
            )}
            {data?.market !== 'live' && <span className={layout.onlyWide}>{' · '}</span>}
            <span className={css.wordBelow}>{data?.testnet ? 'Testnet' : 'Mainnet'}</span>
          </>
        )
      }
    />
  )
}

function PriceCard() {
  const { data, isFetched } = useTicker(DEFAULT_SERIES.symbol)
  const market = useMarketOf(DEFAULT_SERIES.symbol)
  const { rows } = useCandles({ ...DEFAULT_SERIES, limit: CHART_CANDLES })
  const direction = directionOf(data?.percentage)
  const arrow = { up: '▲', down: '▼', flat: '' }[direction]
  return (
    <StatusCard
      label="BTC/USDT"
      value={!isFetched ? loadingValue : data === undefined ? UNKNOWN : formatPrice(data.last, market?.tickSize)}
      evidence={
        data !== undefined && (
          <>
            <span style={{ color: directionColor(direction) }}>
              {arrow !== '' && (
                <span aria-hidden style={{ marginRight: 6, fontSize: '0.625rem' }}>
                  {arrow}
                </span>
              )}
              {formatChangePct(data.percentage)}
            </span>
            <span style={{ marginLeft: 8 }}>24 h</span>
          </>
        )
      }
      aside={
        rows !== undefined &&
        rows.length > 1 && (
          <Sparkline values={rows.slice(-SPARK_CANDLES).map((row) => row[4])} widthPx={88} heightPx={32} />
        )
      }
    />
  )
}

function ModelCard() {
  const { data, isError, isFetched } = useEndpointQuery(mlHealth, {}, { refetchInterval: REFRESH_MS })
  const firstModel = useFirstModelState()
  const first = firstModel.data
  const isTraining = first?.state === 'training' && data?.healthy !== true
  if (isTraining)
    return (
      <StatusCard
        label="ML model"
        value={<HealthDot state="busy">Training</HealthDot>}
        evidence={`${first.version} on ${first.symbol} ${first.timeframe}${
          first.progress === null
            ? ''
            : ` · ${Math.min(99, progressPct(first.progress.current, first.progress.total))}%`
        }`}
      />
    )
  const isActive = data?.healthy === true && !isError
  // It may be one that is in training.
  const isUnknown = !isFetched || (!isActive && !firstModel.isFetched)
  const { accuracy = null, interval = null } = data?.stats ?? {}
  return (
    <StatusCard
      label="ML model"
      value={
        isUnknown ? (
          loadingValue
        ) : (
          <HealthDot state={isActive ? 'good' : 'unknown'}>{isActive ? 'Active' : 'Unavailable'}</HealthDot>
        )
      }
      evidence={
        accuracy === null ? (
          data !== undefined && !isUnknown && 'None in production is trained'
        ) : (
          <>
            <span style={{ color: colors.text, fontWeight: 500 }}>{formatShareRatio(accuracy)}</span> accuracy
            {interval !== null && <span className={layout.onlyWide}> · {formatInterval(interval)}</span>}
          </>
        )
      }
    />
  )
}

const NOT_CONNECTED = {
  public: 'Not connected',
  private: 'Not connected: how orders stand is asked for instead',
} as const

function SocketCard() {
  const { data, isError, isFetched } = useHealth()
  const sockets = isError ? undefined : data?.websocket
  const isConnected = sockets?.public === true
  return (
    <StatusCard
      label="WebSocket"
      value={
        <div className={css.sockets}>
          {(['public', 'private'] as const).map((name) => {
            const isUp = sockets?.[name] === true
            return (
              <Chip
                key={name}
                label={name === 'public' ? 'Public' : 'Private'}
                tone={isUp ? 'filled' : 'quiet'}
                icon={isUp ? <Check /> : <X />}
                title={isUp ? 'Connected' : NOT_CONNECTED[name]}
              />
            )
          })}
        </div>
      }
      evidence={
        !isFetched ? null : isConnected ? (
          <>
            Connected
            <PriceAge />
          </>
        ) : (
          'Not connected'
        )
      }
    />
  )
}

/** How old the price is. Apart from the rest of the card, since every new price draws it again. */
function PriceAge() {
  const { data: price } = useTicker(DEFAULT_SERIES.symbol)
  if (price === undefined) return null
  return (
    <span className={layout.onlyWide}>
      {' '}
      · price <Ago ms={price.timestamp} />
    </span>
  )
}
