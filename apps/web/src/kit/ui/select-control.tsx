import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useControlsOff } from './controls-off.ts'
import type { FieldIds } from './field.tsx'
import input from './input.module.css'
import { Menu, MenuItem } from './menu.tsx'
import css from './select-control.module.css'

export interface SelectItem<Value extends string> {
  value: Value
  disabled?: boolean | undefined
  className?: string | undefined
  content: ReactNode
}

/** The control of a field in which one of a list is chosen, or several: then the list stays open. */
export function SelectControl<Value extends string>({
  ids: { labelId, controlId, describedBy, invalid },
  shown,
  chosen,
  items,
  onChoose,
  disabled = false,
  several = false,
  heightPx,
}: {
  ids: FieldIds
  /** What is chosen, or that nothing is. */
  shown: ReactNode
  chosen: readonly string[]
  items: readonly SelectItem<Value>[]
  onChoose: (value: Value) => void
  disabled?: boolean
  several?: boolean
  /** Of the open list. */
  heightPx: number
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const isOff = useControlsOff() || disabled
  const listId = `${controlId}-list`
  return (
    <>
      <button
        type="button"
        role="combobox"
        id={controlId}
        data-input
        data-wrong={invalid}
        disabled={isOff}
        aria-haspopup="listbox"
        aria-expanded={anchor !== null}
        aria-controls={anchor === null ? undefined : listId}
        aria-labelledby={labelId}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        onClick={(event) => setAnchor(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setAnchor(event.currentTarget)
        }}
        className={`${input.input} ${css.control}`}
      >
        <span className={css.shown}>{shown}</span>
        <ChevronDown className={css.chevron} />
      </button>
      <Menu
        anchor={anchor}
        onClose={() => setAnchor(null)}
        id={listId}
        role="listbox"
        aria-labelledby={labelId}
        {...(several && { 'aria-multiselectable': true })}
        style={{ maxHeight: heightPx }}
      >
        {items.map(({ value, disabled: isItemOff, className, content }) => {
          const isChosen = chosen.includes(value)
          return (
            <MenuItem
              key={value}
              role="option"
              aria-selected={isChosen}
              selected={isChosen && !several}
              disabled={isItemOff}
              className={className}
              onClick={() => {
                if (!several) setAnchor(null)
                onChoose(value)
              }}
            >
              {content}
            </MenuItem>
          )
        })}
      </Menu>
    </>
  )
}
