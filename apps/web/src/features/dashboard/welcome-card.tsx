import type { User } from '@shapecast/contracts/auth'
import { mlHealth } from '@shapecast/contracts/ml'
import { POLICIES } from '@shapecast/contracts/policies'
import { RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { RecommendedWords } from '#entities/bots/recommended-words.tsx'
import { useBots } from '#entities/bots/use-bots.ts'
import { useFirstModel } from '#entities/trainings/first-model-note.tsx'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { formatCount } from '#kit/format/number.ts'
import { setDismissed, useDismissed } from '#kit/kept.ts'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { ProgressBar, progressPct } from '#kit/ui/progress-bar.tsx'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { stepsTakenKey, welcomeKey } from '#wire/session/welcome-key.ts'
import css from './dashboard.module.css'
import { FLUSH, useRecentRuns } from './list-cards.tsx'

/**
 * Where the first steps stand: at the top, or at the end in a browser that has not seen this person before, which learns
 * only later whether there are steps left. Nothing moves when they come.
 */
export function useWelcomePlace(): 'top' | 'end' {
  const user = useUser()
  const isDismissed = useDismissed(user === null ? '' : welcomeKey(user))
  const [place, setPlace] = useState<'top' | 'end'>(isDismissed === undefined ? 'end' : 'top')
  // A user who brings them back looks for them at the top.
  if (place === 'end' && isDismissed === true) setPlace('top')
  return place
}

/**
 * The three first steps of somebody who is new here, until they are hidden; the account menu brings back what is left of them. A browser
 * that has not seen this person before waits until it knows whether there are steps left.
 */
export function WelcomeCard() {
  const user = useUser()
  return user === null ? null : <Steps key={user.id} user={user} />
}

function Steps({ user }: { user: User }) {
  const dismissKey = welcomeKey(user)
  const takenKey = stepsTakenKey(user)
  const isManager = useIsManager()
  const isDismissed = useDismissed(dismissKey)
  const model = useFirstModel()
  const health = useEndpointQuery(mlHealth, {})
  const hasModel = health.data?.healthy === true
  const botList = useBots().data
  const runList = useRecentRuns().data
  const market = useHealth().data?.market
  const hasBot = botList?.some((bot) => bot.userId === user.id) === true
  const hasRun = runList !== undefined && runList.length > 0
  const isDone = hasModel && hasRun && hasBot
  const isKnown = !health.isPending && botList !== undefined && runList !== undefined
  // From then on it stands where it stands from the start: nothing below it moves.
  useEffect(() => {
    if (!isKnown) return
    setDismissed(takenKey, isDone)
    if (isDone || isDismissed === undefined) setDismissed(dismissKey, isDone)
  }, [isKnown, isDone, isDismissed, dismissKey, takenKey])
  if (isDismissed !== false || isDone) return null
  return (
    <Card
      title={`Welcome, ${user.username}`}
      facts={`Three steps. ${market === 'simulated' ? 'The market is simulated and every' : 'Every'} bot starts virtual: nothing here can cost money.`}
      flush
      actions={
        <Button variant="text" size="small" onClick={() => setDismissed(dismissKey, true)} style={FLUSH}>
          Hide
        </Button>
      }
    >
      <ol className={`${layout.list} ${css.steps}`}>
        <Step
          number={1}
          title="See a signal"
          isDone={hasModel}
          text="The first model learns from hourly candles of BTC. It says where the next close may land, and how sure it is."
        >
          {!isKnown ? null : model?.state === 'training' && model.progress !== null ? (
            <div style={{ flex: 1 }}>
              <ProgressBar
                words={progressWords(model.progress)}
                pct={Math.min(99, progressPct(model.progress.current, model.progress.total))}
              />
            </div>
          ) : hasModel ? (
            <Quiet>It stands under ML Signal.</Quiet>
          ) : (
            <LinkButton to={paths.dataCenter} variant="contained" size="small">
              Train a model
            </LinkButton>
          )}
        </Step>
        <Step
          number={2}
          title={isManager ? 'Run a backtest' : 'Read a backtest'}
          isDone={hasRun}
          text="See how a model would have traded on candles that it has not seen, costs included, beside buy and hold."
        >
          {!isKnown ? null : hasModel || hasRun ? (
            <LinkButton to={paths.backtest} variant={hasRun ? 'secondary' : 'contained'} size="small">
              {isManager ? 'Run Backtest' : 'Open Test'}
            </LinkButton>
          ) : (
            <Quiet>when the model is trained</Quiet>
          )}
        </Step>
        <Step
          number={3}
          title="Create a bot"
          isDone={hasBot}
          text="Start one with virtual money and watch what it does."
        >
          {isKnown && (
            <LinkButton
              to={hasBot ? paths.bots : paths.createBot}
              // The first thing that can be done now is the one that stands out.
              variant={!hasBot && (hasRun || model?.state === 'training') ? 'contained' : 'secondary'}
              size="small"
            >
              {hasBot ? 'Your bots' : 'Create First Bot'}
            </LinkButton>
          )}
        </Step>
      </ol>
      {!hasBot && <RecommendedRow />}
    </Card>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => (
  <Text size="small" tone="text3">
    {children}
  </Text>
)

function Step({
  number,
  title,
  text,
  isDone,
  children,
}: {
  number: number
  title: string
  text: string
  isDone: boolean
  children: ReactNode
}) {
  return (
    <li>
      <Row gap={1.25}>
        <Text as="div" size="label" className={css.step} {...(isDone && { role: 'img', 'aria-label': 'Done:' })}>
          {isDone ? <Check size={12} /> : number}
        </Text>
        <Text as="h3" weight={600}>
          {title}
        </Text>
      </Row>
      <Text size="small" tone="text2">
        {text}
      </Text>
      <Row gap={0} style={{ marginTop: 'auto', paddingTop: 4, minHeight: 30 }}>
        {children}
      </Row>
    </li>
  )
}

const { policy, initialBalance, maxDrawdown } = RECOMMENDED_START

/** For somebody without a bot: one that is recommended to begin with, filled in with one press. */
const RecommendedRow = () => (
  <Row gap={2} wrap between className={layout.listRow}>
    <div style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Text>
        Recommended to begin with: <strong>{POLICIES[policy].name} on BTC and ETH, needs no model</strong>, medium risk,{' '}
        {formatCount(initialBalance)} virtual USDT, limit {maxDrawdown}%
      </Text>
      <RecommendedWords />
    </div>
    <LinkButton to={paths.recommendedBot} variant="secondary" size="small">
      Use these
    </LinkButton>
  </Row>
)
