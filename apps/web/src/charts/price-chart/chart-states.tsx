import type { UseQueryResult } from '@tanstack/react-query'
import { formatClock } from '#kit/format/time.ts'
import { colors } from '#kit/theme/tokens.ts'
import { RetryButton } from '#kit/ui/button.tsx'
import { SkeletonGroup } from '#kit/ui/card.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import { errorDetail, errorText } from '#wire/calls/error-text.ts'
import { useLastError } from '#wire/calls/use-endpoint.ts'

const LOAD_FAILED = 'Ошибка загрузки данных'

/** The boxes of a chart that is on its way. */
export const ChartSkeleton = ({ height }: { height: number | string }) => (
  <div style={{ minHeight: height }}>
    <SkeletonGroup label="Loading the chart" height={height} />
  </div>
)

/** In the place of a chart that could not be loaded: why, and a way to try again. */
function ChartFailure({
  reply,
  height,
}: {
  reply: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> }
  height: number | string
}) {
  const text = errorText(reply.error, LOAD_FAILED)
  const detail = errorDetail(reply.error)
  return (
    <div role="alert" style={{ minHeight: height, paddingTop: 24 }}>
      <Text weight={500} {...(text === LOAD_FAILED && { lang: 'ru' })}>
        {text}
      </Text>
      {detail !== undefined && (
        <Text size="small" tone="text2" above={0.5} style={{ maxWidth: 560 }}>
          {detail}
        </Text>
      )}
      <div style={{ marginTop: 12 }}>
        <RetryButton reply={reply} />
      </div>
    </div>
  )
}

/** In the place of a chart of a market that has no candles. */
const ChartEmpty = ({ name, height }: { name: string; height: number | string }) => (
  <div style={{ minHeight: height, paddingTop: 24 }}>
    <Text weight={500}>No candles of {name} yet</Text>
    <Text size="small" tone="text2" above={0.5}>
      The chart appears by itself once the market has some.
    </Text>
  </div>
)

/** What stands in the place of a chart until there are candles: its boxes, why there are none, or that there are none yet. */
export function ChartAwaited({
  query,
  name,
  height,
}: {
  query: Pick<UseQueryResult, 'status' | 'error' | 'isPending' | 'isFetching' | 'refetch'>
  name: string
  height: number | string
}) {
  const error = useLastError(query)
  if (error !== null) return <ChartFailure reply={{ ...query, error }} height={height} />
  if (query.isPending) return <ChartSkeleton height={height} />
  return <ChartEmpty name={name} height={height} />
}

/** In a few words what is under way with the candles and what has failed; the chart itself stays. */
export function ChartNotes({
  isLoadingOlder,
  olderError,
  refreshError,
  predictionsError,
  updatedAtMs,
}: {
  isLoadingOlder: boolean
  olderError: unknown
  refreshError: unknown
  predictionsError: unknown
  /** When candles last came, ms. */
  updatedAtMs: number
}) {
  const text = isLoadingOlder
    ? 'Loading older candles…'
    : refreshError !== null
      ? `Not refreshed since ${formatClock(updatedAtMs)}: ${errorText(refreshError, 'the server does not answer')}`
      : olderError !== null
        ? `Older candles did not load: ${errorText(olderError, 'the server does not answer')}. Pan again to retry.`
        : predictionsError !== null
          ? `Predictions did not load: ${errorText(predictionsError, 'the server does not answer')}`
          : null
  return (
    <Note
      role="status"
      as="span"
      style={{
        position: 'absolute',
        top: 4,
        left: 4,
        zIndex: 3,
        paddingInline: text === null ? 0 : 4,
        color: isLoadingOlder ? colors.text3 : colors.down,
        backgroundColor: colors.surface,
        pointerEvents: 'none',
      }}
    >
      {text}
    </Note>
  )
}
