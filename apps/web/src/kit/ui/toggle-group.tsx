import type { KeyboardEvent, ReactNode } from 'react'
import layout from './layout.module.css'
import css from './toggle-group.module.css'

export interface ToggleChoice<Value extends string> {
  value: Value
  label: ReactNode
  disabled?: boolean
  /** Of a direction: how it is tinted while it is chosen. */
  tone?: 'up' | 'down'
}

interface ToggleLook {
  /** Said by a screen reader before the choices. */
  label: string
  size?: 'small' | 'medium'
  fullWidth?: boolean
}

export interface ToggleGroupProps<Value extends string> extends ToggleLook {
  value: Value
  onChange: (value: Value) => void
  /** Their words by value; a list where there is more to say of each. */
  choices: readonly ToggleChoice<Value>[] | Readonly<Record<Value, ReactNode>>
}

const lookOf = ({ size, fullWidth }: ToggleLook) =>
  [css.group, size === 'small' && css.small, fullWidth && css.fullWidth].filter(Boolean).join(' ')

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Moves the focus to the next button of a group, from the last to the first. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
}

/** One of two or three choices, all in sight. One is always chosen: Tab leads to it, arrows to the others. */
export function ToggleGroup<Value extends string>({
  value,
  onChange,
  choices: given,
  ...look
}: ToggleGroupProps<Value>) {
  const words = Object.entries<ReactNode>(given as Record<Value, ReactNode>)
  const choices: readonly ToggleChoice<Value>[] = Array.isArray(given)
    ? given
    : words.map(([choice, label]) => ({ value: choice as Value, label }))
  const isAnyChosen = choices.some((choice) => choice.value === value)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a layout of its own
    <div role="group" aria-label={look.label} className={lookOf(look)} onKeyDown={moveFocus}>
      {choices.map((choice, at) => {
        const choose = () => choice.value !== value && onChange(choice.value)
        return (
          <button
            key={choice.value}
            type="button"
            value={choice.value}
            aria-pressed={choice.value === value}
            className={layout.touchAlone}
            tabIndex={choice.value === value || (!isAnyChosen && at === 0) ? 0 : -1}
            disabled={choice.disabled ?? false}
            data-tone={choice.tone}
            onClick={choose}
            // A reply that comes before the release may move it away from under the pointer: there is no click then.
            onMouseDown={({ button }) => button === 0 && choose()}
            // Not where a finger begins: it may want to scroll.
            onPointerUp={({ pointerType }) => pointerType === 'touch' && choose()}
          >
            {choice.label}
          </button>
        )
      })}
    </div>
  )
}

/** One thing that is on or off, in the look of a `ToggleGroup`. */
export const Toggle = ({
  isOn,
  onChange,
  children,
  ...look
}: ToggleLook & { isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset has a look and a layout of its own
  <div role="group" aria-label={look.label} className={lookOf(look)}>
    <button type="button" aria-pressed={isOn} className={layout.touchAlone} onClick={() => onChange(!isOn)}>
      {children}
    </button>
  </div>
)
