import { keepWatchlist, type WatchedSeries, watchlist } from '@shapecast/contracts/charts'
import { Star } from 'lucide-react'
import { Button, IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { useEndpointMutation, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useUser } from '#wire/session/auth-context.ts'

const NONE: readonly WatchedSeries[] = []
const isSame = (a: WatchedSeries, b: WatchedSeries) => a.symbol === b.symbol && a.timeframe === b.timeframe

/** The series that the signed-in user keeps at hand, and a way to take one in or out. */
export function useWatchlist() {
  const user = useUser()
  const reply = useEndpointQuery(watchlist, {}, { enabled: user !== null })
  const keep = useEndpointMutation(keepWatchlist)
  // What is on its way is shown already.
  const series = (keep.isPending ? keep.variables.body.series : reply.data?.series) ?? NONE
  return {
    /** Whether it is known, so that it can be changed. */
    isReady: reply.data !== undefined,
    series,
    isWatched: (one: WatchedSeries) => series.some((each) => isSame(each, one)),
    watch: (one: WatchedSeries, isOn: boolean) =>
      keep.mutate({ body: { series: [...series.filter((each) => !isSame(each, one)), ...(isOn ? [one] : [])] } }),
    error: keep.error,
  }
}
type Watching = ReturnType<typeof useWatchlist>

/** Takes the series of the chart into the watchlist, or out of it. */
export function WatchButton({
  watching: { isReady, isWatched, watch },
  series,
  name,
}: {
  watching: Watching
  series: WatchedSeries
  name: string
}) {
  const isOn = isWatched(series)
  return (
    <IconButton
      size="small"
      disabled={!isReady}
      aria-pressed={isOn}
      aria-label={`Keep ${name} at hand`}
      title={isOn ? `Take ${name} out of the watchlist` : `Keep ${name} in the watchlist`}
      onClick={() => watch(series, !isOn)}
      style={{ width: 30, height: 30 }}
    >
      <Star size={16} fill={isOn ? 'currentColor' : 'none'} />
    </IconButton>
  )
}

/** The series at hand; a press shows one. */
export function Watchlist({
  watching: { series, error },
  shown,
  nameOf,
  onChoose,
}: {
  watching: Watching
  shown: WatchedSeries
  nameOf: (symbol: string) => string
  onChoose: (series: WatchedSeries) => void
}) {
  return (
    <>
      {series.length > 0 && (
        <Row
          as="ul"
          wrap
          gap={0.5}
          align="stretch"
          aria-label="Watchlist"
          className={layout.list}
          style={{ marginBottom: 8 }}
        >
          {series.map((one) => (
            <li key={`${one.symbol} ${one.timeframe}`}>
              <Button
                size="small"
                variant={isSame(one, shown) ? 'secondary' : 'text'}
                aria-current={isSame(one, shown) ? 'true' : undefined}
                onClick={() => onChoose(one)}
              >
                {nameOf(one.symbol)} {one.timeframe}
              </Button>
            </li>
          ))}
        </Row>
      )}
      {error !== null && (
        <Text size="small" tone="down" role="alert">
          The watchlist could not be kept. Try again.
        </Text>
      )}
    </>
  )
}
