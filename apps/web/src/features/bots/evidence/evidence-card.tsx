import { type BotEvidence, botEvidence, DECIDED_AT, WATCHED_DAYS } from '@shapecast/contracts/bot-evidence'
import type { Bot } from '@shapecast/contracts/bots'
import { EvidencePlot, formatEvidence } from '#charts/plots/evidence-plot.tsx'
import { formatCounted, formatFixed, formatSigned } from '#kit/format/number.ts'
import { formatDate } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'
import { Chip, type ChipTone } from '#kit/ui/chip.tsx'
import { Evidence, EvidenceRow } from '#kit/ui/facts.tsx'
import { Folded } from '#kit/ui/folded.tsx'
import { Column, Note, Text } from '#kit/ui/primitives.tsx'
import { SwitchRow } from '#kit/ui/setting-row.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { QueryBoundary } from '#wire/ui/query-boundary.tsx'
import { REFRESH_MS, useBotActions, useIsMine } from '../use-bot.ts'
import { yearWords } from './time-to-know.tsx'

const CHIPS: Readonly<Record<BotEvidence['verdict'], { readonly label: string; readonly tone: ChipTone }>> = {
  too_early: { label: 'too early', tone: 'outline' },
  undecided: { label: 'undecided', tone: 'filled' },
  better: { label: 'better than holding', tone: 'filled' },
  worse: { label: 'worse than holding', tone: 'warn' },
}

/** Whether the bot is told from luck to be better or worse than holding as much; its owner may have it paused by that. */
export function EvidenceCard({ bot }: { bot: Bot }) {
  const isMine = useIsMine(bot)
  const reply = useEndpointQuery(botEvidence, { params: { id: bot.id } }, { refetchInterval: 10 * REFRESH_MS })
  const found = reply.data
  return (
    <Card
      title="When will I know?"
      facts={
        found === undefined || found.from === null
          ? 'against holding as much of its pairs'
          : `${formatCounted(found.days, 'day')}, since ${formatDate(found.from)}`
      }
      actions={found?.isPriced && <Chip {...CHIPS[found.verdict]} />}
    >
      <QueryBoundary reply={reply} of="the evidence" px={20} rows={6} />
      {found !== undefined && (
        <Column gap={2}>
          <Text>{answerOf(found)}</Text>
          {found.points.length > 1 && found.edge !== null && <Watched found={found} />}
          {isMine && <PauseRule bot={bot} />}
          <Folded title="What do these words mean?">
            <Note as="p" tone="text2">
              Each day is compared with holding as much of the pairs as the bot held on average before. Two bets against
              luck start with 1 and stake a little on every day, one on better, one on worse. A bot that is no better
              brings the first to {DECIDED_AT} in at most 1 of {DECIDED_AT} cases, however often and however long you
              look: of bots that are neither, at most 5% are ever called one. The answer is final and about the past.
            </Note>
          </Folded>
        </Column>
      )}
    </Card>
  )
}

function answerOf({ verdict, differingDays, edge, decidedAt, isPriced }: BotEvidence): string {
  if (!isPriced) return 'A price of one of its pairs is missing from its first day on, so it cannot be compared.'
  const on = decidedAt === null ? '' : ` Told from luck on ${formatDate(decidedAt - 1)}.`
  switch (verdict) {
    case 'too_early':
      return `Too early. The bets begin after ${WATCHED_DAYS} days that differ from holding; there are ${differingDays}.`
    case 'better':
      return `It beat holding as much by more than luck gives. That is the past; the bot goes on.${on}`
    case 'worse':
      return `Holding as much would have been better, by more than luck gives.${on}`
    case 'undecided': {
      const years = edge?.years ?? null
      const rest =
        years === null
          ? ''
          : ` Were its edge as it was so far, that would take ${yearWords(years)} from its first day; at half of it four times as long.`
      return `Not told from luck yet.${rest} Look as often as you like, the answer stays honest.`
    }
    default:
      return verdict satisfies never
  }
}

function Watched({ found: { points, overHolding, edge } }: { found: BotEvidence }) {
  const last = points.at(-1)!
  return (
    <>
      <EvidenceRow>
        <Evidence label="For: better" value={formatEvidence(last.better)}>
          of {DECIDED_AT}
        </Evidence>
        <Evidence label="Against: worse" value={formatEvidence(last.worse)}>
          of {DECIDED_AT}
        </Evidence>
        <Evidence label="Over holding as much" value={formatSigned(overHolding, 2)}>
          points so far
          {edge !== null && `, moving ${formatFixed(edge.volatilityPct, 1)}% a year around it`}
        </Evidence>
      </EvidenceRow>
      <EvidencePlot
        label="Evidence day by day"
        unit="Day"
        paths={[
          { word: 'Better than holding', points: points.map(({ t, better }) => ({ ts: t, e: better })) },
          { word: 'Worse than holding', points: points.map(({ t, worse }) => ({ ts: t, e: worse })) },
        ]}
        line={{ word: `Decided at ${DECIDED_AT}`, e: DECIDED_AT }}
      />
    </>
  )
}

function PauseRule({ bot }: { bot: Bot }) {
  const { change } = useBotActions()
  const isOn = bot.parameters?.pauseWhenWorse === true
  return (
    <div>
      <SwitchRow
        title="Pause it when it is told to be worse than holding"
        text="It then keeps what it holds and opens nothing. Of bots that are no worse at most 1 in 40 is paused wrongly, however long it runs."
        checked={isOn}
        disabled={change.isPending}
        onChange={(next) =>
          change.mutate({
            params: { id: bot.id },
            body: { parameters: { ...bot.parameters, pauseWhenWorse: next } },
          })
        }
      />
      {change.isError && (
        <Note tone="down" role="alert">
          {errorText(change.error, 'The rule could not be changed')}
        </Note>
      )}
    </div>
  )
}
