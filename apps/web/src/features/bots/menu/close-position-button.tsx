import type { Bot, BotPosition } from '@shapecast/contracts/bots'
import type { Market } from '@shapecast/contracts/market'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#kit/ui/button.tsx'

const ClosePositionDialog = lazy(async () => ({
  default: (await import('./close-position-dialog.tsx')).ClosePositionDialog,
}))

/** Closes one position of a bot, after a question; the bot goes on. What is being closed is not asked for again. */
export function ClosePositionButton({
  bot,
  position,
  market,
  label = 'Close position',
}: {
  bot: Bot
  position: BotPosition
  market: Market | undefined
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
      {isAsking && (
        <Suspense>
          <ClosePositionDialog bot={bot} position={position} market={market} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
