import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#kit/ui/button.tsx'
import { Menu, MenuChoice } from '#kit/ui/menu.tsx'
import { BOT_COLUMN_IDS, type BotColumnId, botColumn } from './bots-columns.tsx'

/** Chooses what the table says beside the names. */
export function ColumnsMenu({
  columns,
  onColumn,
}: {
  columns: readonly BotColumnId[]
  onColumn: (id: BotColumnId, isShown: boolean) => void
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        size="small"
        startIcon={<Columns3 size={14} />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Columns
      </Button>
      <Menu anchor={anchor} onClose={() => setAnchor(null)} aria-label="Columns">
        {BOT_COLUMN_IDS.map((id) => {
          const isChosen = columns.includes(id)
          return (
            <MenuChoice key={id} isChosen={isChosen} onClick={() => onColumn(id, !isChosen)}>
              {botColumn(id).head}
            </MenuChoice>
          )
        })}
      </Menu>
    </>
  )
}
