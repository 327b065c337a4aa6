import type { Bot } from '@shapecast/contracts/bots'
import { Columns3, LayoutGrid, type LucideIcon, Rows3, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Menu, MenuChoice, MenuSelect } from '#kit/ui/menu.tsx'
import { Text } from '#kit/ui/primitives.tsx'
import { Input } from '#kit/ui/text-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import { CsvButton, type CsvButtonProps } from '#wire/ui/csv-button.tsx'
import { BOT_COLUMN_IDS, type BotColumnId, botColumn } from './bots-columns.tsx'
import css from './bots-toolbar.module.css'
import { type BotsView, type Courses, SHOWN, type Shown, SORTS, type Sort } from './bots-view.ts'

export type Look = 'cards' | 'table'
const withIcon = (Icon: LucideIcon, word: string) => (
  <>
    <Icon size={16} aria-hidden /> {word}
  </>
)
const LOOKS = { cards: withIcon(LayoutGrid, 'Cards'), table: withIcon(Rows3, 'Table') }
const CARD_SORTS = ['equity', 'return', 'open', 'trades', 'newest', 'name'] as const satisfies readonly Sort[]
const FIRST = 'first'

/** Finds bots by words and by how they stand, sorts them, and chooses between cards and a table. */
export function BotsToolbar({
  list,
  view,
  onView,
  look,
  onLook,
  courses,
  onSave,
  onChooseAll,
  children,
}: {
  list: readonly Bot[]
  view: BotsView
  onView: (change: Partial<BotsView>) => void
  look: Look
  onLook: (look: Look) => void
  courses: Courses
  /** The shown rows as a file; null where there are none. */
  onSave: CsvButtonProps['fetchFile'] | null
  /** Chooses all of the reader's shown bots that are not stopped; null where there are not several. */
  onChooseAll: (() => void) | null
  /** Of the table alone. */
  children?: ReactNode
}) {
  const shown = (Object.keys(SHOWN) as Shown[]).flatMap((key) => {
    const count = list.filter((bot) => SHOWN[key].holds(bot, courses.get(bot.id))).length
    return count > 0 || key === view.shown ? [{ key, label: SHOWN[key].label, count }] : []
  })
  return (
    <div className={css.toolbar}>
      <Input
        className={css.search}
        value={view.words}
        onChange={({ target }) => onView({ words: target.value })}
        placeholder="Name or pair"
        start={<Search size={16} aria-hidden />}
        type="search"
        aria-label="Search bots by name or pair"
      />
      <fieldset className={css.filters}>
        <legend className={layout.visuallyHidden}>Which bots are shown</legend>
        {shown.map(({ key, label, count }) => (
          <button
            key={key}
            type="button"
            aria-pressed={key === view.shown}
            className={css.filter}
            onClick={() => onView({ shown: key })}
          >
            {label} <span>{count}</span>
          </button>
        ))}
      </fieldset>
      <div className={css.end}>
        {look === 'cards' && (
          <>
            <Text as="span" size="small" tone="text2" aria-hidden>
              Sort
            </Text>
            <MenuSelect
              look="chip"
              label="Sort"
              value={view.sort ?? FIRST}
              choices={[
                { value: FIRST, label: 'Real first, then equity' },
                ...CARD_SORTS.map((value) => ({ value, label: SORTS[value].label })),
              ]}
              onChange={(value) => onView({ sort: value === FIRST ? null : value, isReversed: false })}
            />
          </>
        )}
        {onChooseAll !== null && (
          <Button size="small" onClick={onChooseAll}>
            Choose all that run
          </Button>
        )}
        {children}
        {onSave !== null && <CsvButton of="bots" fetchFile={onSave} />}
        <div className={css.looks}>
          <ToggleGroup label="Look" size="small" value={look} onChange={onLook} choices={LOOKS} />
        </div>
      </div>
    </div>
  )
}

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
