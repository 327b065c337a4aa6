import { predictionRanges } from '@shapecast/contracts/predictions'
import { TIMEFRAME_MS, type Timeframe } from '@shapecast/contracts/timeframes'
import { isOutside, RangePlot } from '#charts/plots/range-plot.tsx'
import { useMarketOf } from '#entities/markets/use-market-of.ts'
import { formatMoney, formatPrice } from '#kit/format/money.ts'
import { formatDateTime } from '#kit/format/time.ts'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { Awaited } from '#wire/ui/awaited.tsx'

const CANDLES = 48

/** Where the next close lands by the model's word, and where the newest closes landed beside it. */
export function RangeHistory({
  version,
  symbol,
  timeframe,
}: {
  version: string
  symbol: string
  timeframe: Timeframe
}) {
  const reply = useEndpointQuery(
    predictionRanges,
    { query: { symbol, timeframe, version, limit: CANDLES } },
    { refetchInterval: 60_000 },
  )
  const market = useMarketOf(symbol)
  const rows = reply.data
  if (rows === undefined)
    return (
      <Awaited reply={reply} title="The ranges could not be loaded">
        <SkeletonGroup label="Loading the ranges">
          <SkeletonBox height={300} />
        </SkeletonGroup>
      </Awaited>
    )
  const judged = rows.filter(({ close }) => close !== null)
  const inside = judged.filter((row) => !isOutside(row)).length
  const next = rows.at(-1)
  const price = (value: number) => formatPrice(value, market?.tickSize)
  if (next === undefined) return <Text tone="text2">Too few candles are stored to tell a range.</Text>
  return (
    <div>
      <Text style={{ marginBottom: 12 }}>
        For {formatDateTime(next.time + TIMEFRAME_MS[timeframe])} it says{' '}
        <b style={{ fontWeight: 600 }}>
          {price(next.low)} – {price(next.high)}
        </b>
        , about ±{formatMoney((next.high - next.low) / 2)} {market?.quote ?? 'USDT'}, with nine chances in ten. Of the
        last {judged.length} closes {inside} landed inside.
      </Text>
      <RangePlot
        label={`The newest closes of ${symbol} and the range of each`}
        rows={rows}
        tickSize={market?.tickSize}
      />
    </div>
  )
}
