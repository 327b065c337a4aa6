import { botDecisions } from '@shapecast/contracts/bot-decisions'
import type { Bot } from '@shapecast/contracts/bots'
import { formatDateTime } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { SkeletonBox, SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { DECISIONS_SHOWN, REFRESH_MS } from '../use-bot.ts'

/** One sentence on why it trades or does not; where it stands still, the reason and the way back. */
export function WhyBanner({ bot, isMine }: { bot: Bot; isMine: boolean }) {
  const { data } = useEndpointQuery(
    botDecisions,
    { params: { id: bot.id }, query: { limit: DECISIONS_SHOWN, show: 'all' } },
    { refetchInterval: REFRESH_MS },
  )
  if (bot.status === 'error')
    return (
      <Banner kind="error" title={bot.statusReason ?? 'It stopped because of an error.'}>
        Its position and orders are as they were.
        {isMine && ' Press Start to go on once the cause is gone, or Stop to close them.'}
      </Banner>
    )
  if (bot.status === 'paused')
    return (
      <Banner
        kind="warning"
        title={bot.statusReason ?? 'Paused: it keeps its position and its stops, and opens nothing.'}
      >
        {isMine && 'Press Start to go on, or Stop.'}
      </Banner>
    )
  if (bot.status === 'stopped')
    return (
      <Banner kind="info" title={bot.statusReason ?? 'Stopped: it decides nothing.'}>
        {isMine && 'Press Start: its first decision is at the next candle close.'}
      </Banner>
    )
  if (data === undefined)
    return (
      <SkeletonGroup label="Loading the last decision">
        <SkeletonBox height={52} />
      </SkeletonGroup>
    )
  const next = data.nextAt
  return (
    <Banner kind="info" title={data.summary ?? 'Running: no decision yet.'}>
      {next !== null && `It decides next at ${formatDateTime(next)}.`}
    </Banner>
  )
}
