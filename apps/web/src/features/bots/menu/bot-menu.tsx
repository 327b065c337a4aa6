import type { Bot } from '@shapecast/contracts/bots'
import { Ellipsis } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '#kit/ui/button.tsx'

const BotMenuItems = lazy(async () => ({ default: (await import('./bot-menu-items.tsx')).BotMenuItems }))

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
      {wasOpened && (
        <Suspense>
          <BotMenuItems bot={bot} anchor={anchor} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  )
}
