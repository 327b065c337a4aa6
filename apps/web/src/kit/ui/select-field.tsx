import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useControlsOff } from './controls-off.ts'
import { Field, type FieldIds, type FieldTexts } from './field.tsx'
import input from './input.module.css'
import { Menu, MenuItem } from './menu.tsx'
import { Text } from './primitives.tsx'
import css from './select-field.module.css'

export interface SelectOption<Value extends string> {
  value: Value
  label: string
  /** Quiet, at the right of the option. */
  note?: string
  disabled?: boolean
  /** Grey, but it can be chosen: what it lacks is said then. */
  dim?: boolean
}

export interface SelectFieldProps<Value extends string> extends FieldTexts {
  /** '' where nothing is chosen. */
  value: Value | ''
  onChange: (value: Value) => void
  options: readonly SelectOption<Value>[]
  /** Stands where nothing is chosen, or why nothing can be. */
  placeholder?: string
  disabled?: boolean
}

/** One of several choices; for two or three use ToggleGroup. */
export function SelectField<Value extends string>({
  label,
  labelNote,
  help,
  error,
  value,
  onChange,
  options,
  placeholder = 'Select',
  disabled = false,
}: SelectFieldProps<Value>) {
  const chosen = options.find((option) => option.value === value)
  return (
    <Field {...{ label, help, error }} labelFor={false} {...(labelNote !== undefined && { labelNote })}>
      {(ids) => (
        <SelectControl
          ids={ids}
          disabled={disabled}
          heightPx={320}
          shown={chosen?.label ?? <span className={css.dim}>{placeholder}</span>}
          chosen={[value]}
          onChoose={onChange}
          items={options.map((option) => ({
            value: option.value,
            disabled: option.disabled,
            className: option.dim === true ? css.dim : undefined,
            content: (
              <>
                <span className={css.label}>{option.label}</span>
                {option.note !== undefined && (
                  <Text as="span" size="small" tone="text3">
                    {option.note}
                  </Text>
                )}
              </>
            ),
          }))}
        />
      )}
    </Field>
  )
}

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
              stays={several}
              onClick={() => onChoose(value)}
            >
              {content}
            </MenuItem>
          )
        })}
      </Menu>
    </>
  )
}
