import { Box, Button, LinearProgress, Typography } from '@mui/material'
import { models } from '@shapecast/contracts/ml'
import { type Prediction, predict, predictions, type SignalVerdict } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS } from '@shapecast/contracts/timeframes'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { SignalChip } from '#entities/markets/trading-chips.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { useTicker } from '#entities/markets/use-ticker.ts'
import { directionWords } from '#entities/models/direction-verdict.ts'
import { formatCostPct, isPoor, verdictSentence, verdictTitle } from '#entities/models/signal-words.ts'
import { useFirstModelState } from '#entities/trainings/first-model-note.tsx'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { formatPrice } from '#kit/format/money.ts'
import { directionOf } from '#kit/format/number.ts'
import { formatChangePct, formatShareRatio } from '#kit/format/percent.ts'
import { formatClock, formatDateTimeYear, formatExactTime, formatHour } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { busyButton } from '#kit/ui/busy-button.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import { EmptyState } from '#kit/ui/empty-state.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { progressPct } from '#kit/ui/progress-pct.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { directionColor } from '#kit/ui/tone.ts'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useLastError } from '#wire/calls/read-state.ts'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { DEFAULT_SERIES } from './lead-series.ts'

const NEWEST = { query: { ...DEFAULT_SERIES, limit: 1 } } as const
const UNAVAILABLE = 'ML model unavailable or not trained'

type Said = Prediction & { readonly madeAt?: number }

/** What the current model says of the next hour. */
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
  return (
    <Card
      title="ML Signal"
      facts={said !== undefined && <Chip label={said.version} tone="outline" />}
      actions={
        <Button
          variant="text"
          size="small"
          startIcon={<RefreshCw size={14} />}
          {...busyButton(asked.isPending, () => asked.mutate({ body: DEFAULT_SERIES }))}
          sx={{ mr: -1 }}
        >
          Refresh
        </Button>
      }
    >
      {said !== undefined ? (
        <Signal said={said} />
      ) : !newest.isFetched ? (
        <SkeletonGroup label="Loading the signal">
          <Box sx={{ display: 'grid', gap: 2, pt: 0.5 }}>
            <SkeletonBox height={32} />
            <SkeletonBox height={96} />
            <SkeletonBox height={54} />
          </Box>
        </SkeletonGroup>
      ) : (
        <NoSignal error={failure} />
      )}
      {asked.isError && (
        <Typography role="alert" variant="small" sx={{ mt: 1.5, color: colors.down }}>
          {errorText(asked.error, UNAVAILABLE)}
        </Typography>
      )}
    </Card>
  )
}

function NoSignal({ error }: { error: unknown }) {
  const first = useFirstModelState().data
  const isTraining = first?.state === 'training'
  return (
    <Box sx={{ mx: -3, mt: -2 }}>
      <EmptyState title={UNAVAILABLE}>
        {isTraining
          ? `${first.version} is being trained and answers here by itself. Then this card says BUY, SELL or HOLD and how sure it is.`
          : error === null
            ? 'Once a version in production is trained on BTCUSDT 1h, this card says BUY, SELL or HOLD and how sure it is.'
            : (errorDetail(error) ?? errorText(error, UNAVAILABLE))}
      </EmptyState>
      {isTraining && first.progress !== null && (
        <Box sx={{ px: 3 }}>
          <ProgressBar
            words={progressWords(first.progress)}
            pct={Math.min(99, progressPct(first.progress.current, first.progress.total))}
          />
        </Box>
      )}
    </Box>
  )
}

/** Where nothing is traded, which side the stop would be of is not told by the signal. */
const stopLabel = ({ signal, stopLoss, current_price }: Said) =>
  signal === 'HOLD' ? `Stop-loss of a ${stopLoss < current_price ? 'long' : 'short'}` : 'Stop-loss'

function Signal({ said }: { said: Said }) {
  const tickSize = useMarketOf(DEFAULT_SERIES.symbol)?.tickSize
  const { current_price: price } = said
  const ticker = useTicker(DEFAULT_SERIES.symbol).data
  const inReplay = useHealth().data?.market === 'replay'
  const closeMs = said.timestamp + TIMEFRAME_MS[DEFAULT_SERIES.timeframe]
  const rows = [
    { label: 'Current price', value: ticker?.last ?? null, isTarget: false },
    { label: `Close at ${formatHour(closeMs)}`, value: price, isTarget: false },
    { label: 'LSTM prediction', value: said.lstm_prediction, isTarget: true },
    { label: 'Transformer prediction', value: said.transformer_prediction, isTarget: true },
    { label: stopLabel(said), value: said.stopLoss, isTarget: true },
  ]
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%' }}>
      {said.verdict !== null && <Verdict verdict={said.verdict} />}
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, pb: 2, borderBottom: `1px solid ${colors.divider}` }}>
        <Box sx={isPoor(said.verdict) ? undefined : bigChip}>
          <SignalChip signal={said.signal} isQuiet={isPoor(said.verdict)} />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ display: 'flex', justifyContent: 'space-between', mb: 0.75 }}>
            <Typography variant="label" sx={{ color: colors.text2, fontWeight: 400 }}>
              Confidence
            </Typography>
            <Typography component="span" sx={{ fontWeight: 600, lineHeight: '16px' }}>
              {formatShareRatio(said.confidence)}
            </Typography>
          </Box>
          <LinearProgress variant="determinate" value={said.confidence * 100} aria-label="Confidence" />
        </Box>
      </Box>
      <Box component="dl" sx={rowsStyle}>
        {rows.map(({ label, value, isTarget }) => {
          const changePct = value === null ? 0 : (value / price - 1) * 100
          return (
            <div key={label}>
              <Typography component="dt" variant="small" sx={{ color: colors.text2 }}>
                {label}
              </Typography>
              <Typography component="dd" sx={{ m: 0, fontWeight: 500 }}>
                {isTarget && (
                  <Box
                    component="span"
                    sx={{
                      mr: 1,
                      fontWeight: 400,
                      // Above or below the price, getting there is a loss.
                      color: value === said.stopLoss ? colors.down : directionColor(directionOf(changePct)),
                    }}
                  >
                    {formatChangePct(changePct)}
                  </Box>
                )}
                {formatPrice(value, tickSize)}
              </Typography>
            </div>
          )
        })}
      </Box>
      <Typography variant="small" sx={{ mt: 1.5, color: colors.text2 }}>
        {said.reasoning}
      </Typography>
      <DirectionCaution version={said.version} />
      {said.madeAt !== undefined && (
        <Typography
          variant="label"
          component="div"
          title={formatExactTime(inReplay ? closeMs : said.madeAt)}
          sx={{ mt: 'auto', pt: 2, color: colors.text3, fontWeight: 400 }}
        >
          {inReplay ? `From the close at ${formatDateTimeYear(closeMs)}` : `Updated ${formatClock(said.madeAt)}`}
        </Typography>
      )}
    </Box>
  )
}

/** Whether a trade is worth its costs, in words, and what it would gain beside what it would cost. */
function Verdict({ verdict }: { verdict: SignalVerdict }) {
  const { expectedBps, costBps } = verdict
  return (
    <Box sx={{ mb: 2 }}>
      <Typography component="p" sx={{ m: 0, fontSize: '1.5rem', lineHeight: '32px', fontWeight: 600 }}>
        {verdictTitle(verdict)}
      </Typography>
      <Typography variant="small" component="p" sx={{ m: 0, color: colors.text2 }}>
        {verdictSentence(verdict, DEFAULT_SERIES.timeframe)}
      </Typography>
      {expectedBps !== null && costBps !== null && <CostBar expectedBps={expectedBps} costBps={costBps} />}
    </Box>
  )
}

/** How much of the cost a trade is expected to gain; the tick is the cost. */
function CostBar({ expectedBps, costBps }: { expectedBps: number; costBps: number }) {
  const shareOf = (bps: number) => (100 * Math.max(0, bps)) / Math.max(1.2 * expectedBps, 2.7 * costBps, Number.EPSILON)
  const words = [`expected ${formatChangePct(expectedBps / 100)}`, `cost ${formatCostPct(costBps)}`]
  return (
    <Box sx={{ mt: 1.5 }}>
      <Box aria-hidden sx={{ position: 'relative' }}>
        <LinearProgress variant="determinate" value={shareOf(expectedBps)} />
        <Box sx={{ ...costTick, left: `${shareOf(costBps)}%` }} />
      </Box>
      <Typography
        variant="label"
        component="div"
        sx={{ mt: 1, display: 'flex', justifyContent: 'space-between', color: colors.text2, fontWeight: 400 }}
      >
        {words.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </Typography>
    </Box>
  )
}

/** Says in amber where a version's arrow is worth no more than a naive rule. */
function DirectionCaution({ version }: { version: string }) {
  const { data } = useEndpointQuery(models, {}, { refetchInterval: REFRESH_MS })
  const artifact = data?.models
    .find((model) => model.version === version)
    ?.artifacts.find((one) => one.symbol === DEFAULT_SERIES.symbol && one.timeframe === DEFAULT_SERIES.timeframe)
  if (artifact === undefined) return null
  if (artifact.direction.holdsUp) return null
  return (
    <Typography variant="small" sx={{ mt: 1, display: 'flex', gap: 1, color: colors.warn }}>
      <Box component={TriangleAlert} size={14} aria-hidden sx={{ mt: '2px', flexShrink: 0 }} />
      Direction: {directionWords(artifact.direction).words}
    </Typography>
  )
}

const costTick = { position: 'absolute', top: -6, width: 2, height: 16, backgroundColor: colors.text } as const

const bigChip = {
  '& .MuiChip-root': { height: 32, fontSize: '1rem', fontWeight: 600, borderRadius: 1 },
  '& .MuiChip-label': { px: 1.25 },
  '& .MuiChip-icon': { width: 16, height: 16, ml: 1.25, mr: '-4px' },
} as const

const rowsStyle = {
  m: 0,
  mt: 1.5,
  display: 'grid',
  rowGap: 1.25,
  '& > div': { display: 'flex', justifyContent: 'space-between', gap: 1 },
} as const
