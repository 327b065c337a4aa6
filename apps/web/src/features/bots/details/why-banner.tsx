import { type BotDecision, botDecisions } from '@shapecast/contracts/bot-decisions'
import type { Bot } from '@shapecast/contracts/bots'
import { Info } from 'lucide-react'
import { formatDateTime, formatSpan } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Card, SkeletonGroup } from '#kit/ui/card.tsx'
import { Note, Row, Text } from '#kit/ui/primitives.tsx'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { DECISIONS_SHOWN, REFRESH_MS, useIsMine } from '../use-bot.ts'
import css from './bot-details.module.css'

/** Where it stands still: what is said without a reason of its own, and what its owner can do. */
const STANDING = {
  error: [
    'error',
    'It stopped because of an error.',
    'Press Start to go on once the cause is gone, or Stop to close them.',
  ],
  paused: [
    'warning',
    'Paused: it keeps its position and its stops, and opens nothing.',
    'Press Start to go on, or Stop.',
  ],
  stopped: ['info', 'Stopped: it decides nothing.', 'Press Start: its first decision is at the next candle close.'],
} as const

/** One sentence on why it trades or does not; where it stands still, the reason and the way back. `asCard` gives it more room. */
export function WhyBanner({ bot, asCard = false }: { bot: Bot; asCard?: boolean }) {
  const isMine = useIsMine(bot)
  const { data } = useEndpointQuery(
    botDecisions,
    { params: { id: bot.id }, query: { limit: DECISIONS_SHOWN, show: 'all' } },
    { refetchInterval: REFRESH_MS },
  )
  if (bot.status !== 'active') {
    const [kind, title, words] = STANDING[bot.status]
    return (
      <Banner kind={kind} title={bot.statusReason ?? title}>
        {bot.status === 'error' && 'Its position and orders are as they were. '}
        {isMine && words}
      </Banner>
    )
  }
  if (data === undefined) return <SkeletonGroup label="Loading the last decision" height={52} />
  const next = data.nextAt
  const last = data.decisions[0]
  if (asCard && last !== undefined) return <WhyCard last={last} summary={data.summary} next={next} />
  return (
    <Banner kind="info" title={data.summary ?? 'Running: no decision yet.'}>
      {next !== null && `It decides next at ${formatDateTime(next)}.`}
    </Banner>
  )
}

/** Of a bot that is running: what its last decision was, how it was before, and when it decides next. */
function WhyCard({ last, summary, next }: { last: BotDecision; summary: string | null; next: number | null }) {
  const nowMs = useHealthAndClock().data?.marketTime ?? null
  return (
    <Card
      title={
        <Row as="span" gap={1} style={{ display: 'inline-flex' }}>
          <Info size={16} aria-hidden /> {didSomething(last.action) ? 'What it did last' : 'Why it does not trade now'}
        </Row>
      }
    >
      <Text breaks>{last.reason}</Text>
      {summary !== null && (
        <Note as="p" tone="text2" above={0.5}>
          {summary}
        </Note>
      )}
      {next !== null && (
        <Row wrap gap={1} lineGap={0.5} align="baseline" className={css.next}>
          <Text as="span" size="small" tone="text2">
            Next decision
          </Text>
          {nowMs !== null && next > nowMs && (
            <Text as="span" size="small" tone="text2">
              in {formatSpan(next - nowMs)}
            </Text>
          )}
          <Text as="span" size="numberS">
            {formatDateTime(next, nowMs ?? undefined)}
          </Text>
        </Row>
      )}
    </Card>
  )
}

/** Whether a decision led to an order. */
export const didSomething = (action: BotDecision['action']): boolean => action !== 'no_order' && action !== 'held'
