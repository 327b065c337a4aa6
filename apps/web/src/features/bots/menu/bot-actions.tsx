import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import { Ellipsis, Pause, Play, Square } from 'lucide-react'
import { useState } from 'react'
import { hasKept } from '#entities/bots/bot-words.ts'
import { Button, busyButton, IconButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useBotActions } from '../use-bot.ts'

const StopBotDialog = onDemand(async () => (await import('./stop-bot-dialog.tsx')).StopBotDialog)
const StartRealDialog = onDemand(async () => (await import('../real/start-real-dialog.tsx')).StartRealDialog)

/** Start where it is not active, Pause where it is, Stop where it is not stopped, Sell where it has kept something. `isWide` over the whole width, 44 px high. */
export function BotActionButtons({ bot, isWide = false }: { bot: Bot; isWide?: boolean }) {
  const actions = useBotActions()
  const user = useUser()
  // It trades with the key of its owner, whom not even an admin can stand in for.
  const mayStart = bot.isVirtual || bot.userId === user?.id
  const [asked, setAsked] = useState<'start' | 'stop' | null>(null)
  const failure = [actions.start, actions.pause, actions.stop].find((action) => action.isError)?.error
  const params = { id: bot.id }
  const start = () => (bot.isVirtual ? actions.start.mutate({ params, body: {} }) : setAsked('start'))
  // Where nothing is held there is nothing to ask.
  const stop = () => (bot.positions.length === 0 ? actions.stop.mutate({ params, body: {} }) : setAsked('stop'))
  return (
    <Row
      wrap
      gap={1}
      align="stretch"
      className={isWide ? layout.wideButtons : undefined}
      style={{ justifyContent: 'flex-end' }}
    >
      {bot.status === 'active' ? (
        <Button
          size="small"
          startIcon={<Pause size={14} />}
          {...busyButton(actions.pause.isPending, () => actions.pause.mutate({ params }))}
        >
          Pause
        </Button>
      ) : (
        <Button
          size="small"
          startIcon={<Play size={14} />}
          disabled={!mayStart}
          title={mayStart ? undefined : 'Only its owner starts it: it trades real money with their key'}
          {...busyButton(actions.start.isPending, start)}
        >
          {actions.start.isPending ? 'Starting…' : 'Start'}
        </Button>
      )}
      {bot.status !== 'stopped' && <StopButton isBusy={actions.stop.isPending} onStop={stop} />}
      {hasKept(bot) && (
        <Button size="small" {...busyButton(actions.stop.isPending, stop)}>
          {bot.marketType === 'futures' ? 'Close position' : 'Sell'}
        </Button>
      )}
      {failure !== undefined && (
        <Text role="alert" size="small" tone="down" style={{ flexBasis: '100%' }}>
          {errorText(failure, 'The server did not answer. Look how it stands before you try again.')}
        </Text>
      )}
      {asked === 'stop' && <StopBotDialog bot={bot} actions={actions} onClose={() => setAsked(null)} />}
      {asked === 'start' && <StartRealDialog bot={bot} onClose={() => setAsked(null)} />}
    </Row>
  )
}

const StopButton = ({ isBusy, onStop }: { isBusy: boolean; onStop: () => void }) => (
  <Button size="small" startIcon={<Square size={14} />} {...busyButton(isBusy, onStop)}>
    {isBusy ? 'Stopping…' : 'Stop'}
  </Button>
)

const BotMenuItems = onDemand(async () => (await import('./bot-menu-items.tsx')).BotMenuItems)

/** Opens the rare actions of a bot, whose code comes with the first press. */
export function BotMenu({ bot }: { bot: Bot }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      <IconButton
        size="small"
        aria-label={`More about ${bot.name}`}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => {
          setWasOpened(true)
          setAnchor(event.currentTarget)
        }}
      >
        <Ellipsis />
      </IconButton>
      {wasOpened && <BotMenuItems bot={bot} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}

const ClosePositionDialog = onDemand(async () => (await import('./close-position-dialog.tsx')).ClosePositionDialog)

/** Closes one position of a bot, after a question; the bot goes on. What is being closed is not asked for again. */
export function ClosePositionButton({
  bot,
  position,
  label = 'Close position',
}: {
  bot: Bot
  position: BotPosition
  label?: string
}) {
  const [isAsking, setIsAsking] = useState(false)
  if (position.closing)
    return (
      <Button size="small" disabled aria-label={`Closing: ${bot.name}, ${position.symbol}`}>
        Closing…
      </Button>
    )
  return (
    <>
      <Button size="small" aria-label={`${label}: ${bot.name}, ${position.symbol}`} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking && <ClosePositionDialog bot={bot} position={position} onClose={() => setIsAsking(false)} />}
    </>
  )
}
