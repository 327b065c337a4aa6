import { type BotDecision, botDecisions } from '@shapecast/contracts/bot-decisions'
import type { Bot } from '@shapecast/contracts/bots'
import { Info } from 'lucide-react'
import { policyOf } from '#entities/bots/bot-words.ts'
import { formatDateTime, formatSpan } from '#kit/format/time.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, busyButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { SkeletonGroup } from '#kit/ui/skeleton.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealthAndClock } from '#wire/calls/use-health.ts'
import { DECISIONS_SHOWN, REFRESH_MS, useIsMine, useTakeModel } from '../use-bot.ts'
import css from './bot-details.module.css'

/** One sentence on why it trades or does not; where it stands still, the reason and the way back. `asCard` gives it more room. */
export function WhyBanner({ bot, asCard = false }: { bot: Bot; asCard?: boolean }) {
  const isMine = useIsMine(bot)
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
        <div className={css.next}>
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
        </div>
      )}
    </Card>
  )
}

/** Whether a decision led to an order. */
export const didSomething = (action: BotDecision['action']): boolean => action !== 'no_order' && action !== 'held'

/** What a bot's owner is offered where its model was trained again. */
export function ModelOffer({ bot }: { bot: Bot }) {
  const take = useTakeModel()
  const offer = offeredModel(bot)
  if (offer === null) return null
  return (
    <Banner kind="info" title={offer.agreed ?? `${offer.versions} was trained again`}>
      {offer.agreed === null && (
        <Row wrap gap={1.5}>
          <span>
            {take.isError
              ? errorText(take.error, NOT_TAKEN)
              : `This bot goes on with the training of its start. ${offer.wait}`}
          </span>
          <Button
            size="small"
            variant="secondary"
            {...busyButton(take.isPending, () => take.mutate({ params: { id: bot.id }, body: {} }))}
          >
            {take.isPending ? 'Taking it…' : 'Use the newer one'}
          </Button>
        </Row>
      )}
    </Banner>
  )
}

export interface OfferedModel {
  /** `v3`, or `v3, v4` of an ensemble. */
  versions: string
  /** That the bot takes it without a further word, and when; null until its owner says so. */
  agreed: string | null
  /** What it waits for where the bot holds something. */
  wait: string
}

/** The newer training of its models that a bot is offered, in words; null where there is none. */
export function offeredModel(bot: Pick<Bot, 'models' | 'parameters'>): OfferedModel | null {
  const offered = bot.models.filter(({ offer }) => offer !== null)
  if (offered.length === 0) return null
  const versions = [...new Set(offered.map(({ offer }) => offer!.version))].join(', ')
  const isSignal = policyOf(bot) === 'signal'
  const isAgreed = bot.parameters?.followModel === true || offered.every(({ takesNext }) => takesNext)
  return {
    versions,
    agreed: isAgreed
      ? `It takes the newer ${versions} ${isSignal ? 'once it holds nothing' : 'at its next daily decision'}`
      : null,
    wait: isSignal
      ? 'A position is held to its end first.'
      : 'While it holds something, it is taken at its next daily decision.',
  }
}

export const NOT_TAKEN = 'It could not be taken.'
