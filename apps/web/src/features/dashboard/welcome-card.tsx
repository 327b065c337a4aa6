import { Box, Typography } from '@mui/material'
import type { User } from '@shapecast/contracts/auth'
import { mlHealth } from '@shapecast/contracts/ml'
import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useBots } from '#entities/bots/use-bots.ts'
import { useFirstModel } from '#entities/trainings/first-model-note.tsx'
import { progressWords } from '#entities/trainings/progress-words.ts'
import { colors, TINT, tint } from '#kit/theme/tokens.ts'
import { typeScale } from '#kit/theme/typography.ts'
import { Button } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { setDismissed, useDismissed } from '#kit/ui/dismissed.ts'
import { LinkButton } from '#kit/ui/link-button.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { progressPct } from '#kit/ui/progress-pct.ts'
import { paths } from '#routes/paths.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useIsManager, useUser } from '#wire/session/auth-context.ts'
import { stepsTakenKey, welcomeKey } from '#wire/session/welcome-key.ts'
import { useRecentRuns } from './list-cards.tsx'
import { RecommendedRow } from './recommended-row.tsx'

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
        <Button variant="text" size="small" onClick={() => setDismissed(dismissKey, true)} style={{ marginRight: -8 }}>
          Hide
        </Button>
      }
    >
      <Box component="ol" sx={stepsStyle}>
        <Step
          number={1}
          title="See a signal"
          isDone={hasModel}
          text="The first model learns from hourly candles of BTC. It says where the next close may land, and how sure it is."
        >
          {!isKnown ? null : model?.state === 'training' && model.progress !== null ? (
            <Box sx={{ flex: 1 }}>
              <ProgressBar
                words={progressWords(model.progress)}
                pct={Math.min(99, progressPct(model.progress.current, model.progress.total))}
              />
            </Box>
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
      </Box>
      {!hasBot && <RecommendedRow />}
    </Card>
  )
}

const Quiet = ({ children }: { children: ReactNode }) => (
  <Typography variant="small" sx={{ color: colors.text3 }}>
    {children}
  </Typography>
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
    <Box component="li" sx={stepStyle}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25 }}>
        <Box sx={numberStyle} {...(isDone && { role: 'img', 'aria-label': 'Done:' })}>
          {isDone ? <Check size={12} /> : number}
        </Box>
        <Typography component="h3" sx={{ m: 0, fontWeight: 600 }}>
          {title}
        </Typography>
      </Box>
      <Typography variant="small" sx={{ color: colors.text2 }}>
        {text}
      </Typography>
      <Box sx={{ mt: 'auto', pt: 0.5, minHeight: 30, display: 'flex', alignItems: 'center' }}>{children}</Box>
    </Box>
  )
}

const stepsStyle = {
  m: 0,
  p: 0,
  listStyle: 'none',
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(3, minmax(0, 1fr))' },
} as const

const stepStyle = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  px: 2,
  py: 1.75,
  '& + &': {
    borderLeft: { md: `1px solid ${colors.divider}` },
    borderTop: { xs: `1px solid ${colors.divider}`, md: 0 },
  },
} as const

const numberStyle = {
  ...typeScale.label,
  flexShrink: 0,
  width: 22,
  height: 22,
  display: 'grid',
  placeItems: 'center',
  borderRadius: '50%',
  color: colors.accentHi,
  backgroundColor: tint(colors.accent, TINT.accent),
} as const
