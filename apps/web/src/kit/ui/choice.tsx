import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import css from './choice.module.css'
import layout from './layout.module.css'
import { STEP_PX, Text } from './primitives.tsx'

const ChoiceContext = createContext<{ name: string; value: string; onChange: (value: string) => void }>({
  name: '',
  value: '',
  onChange: () => {},
})

/** A few ways to go on, each a box with a radio. `gap` is in steps of 8 px. */
export const Choices = <Value extends string>({
  label,
  value,
  onChange,
  gap = 1,
  children,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  gap?: number
  children: ReactNode
}) => (
  <ChoiceContext value={{ name: useId(), value, onChange: onChange as (value: string) => void }}>
    <div role="radiogroup" aria-label={label} style={{ display: 'grid', gap: gap * STEP_PX }}>
      {children}
    </div>
  </ChoiceContext>
)

/** One of `Choices`: its ring, with a dot where it is chosen. */
export function Radio({ value, ...input }: ComponentProps<'input'> & { value: string }) {
  const choices = useContext(ChoiceContext)
  return (
    <span className={css.radio}>
      <input
        {...input}
        type="radio"
        className={layout.unseen}
        name={choices.name}
        value={value}
        checked={value === choices.value}
        onChange={() => choices.onChange(value)}
      />
      <svg width={20} height={20} viewBox="0 0 24 24" aria-hidden>
        <circle cx={12} cy={12} r={9} fill="none" stroke="currentColor" strokeWidth={2} />
        {value === choices.value && <circle cx={12} cy={12} r={5} fill="currentColor" />}
      </svg>
    </span>
  )
}

export const choiceClass = (isChosen: boolean) => (isChosen ? `${css.choice} ${css.chosen}` : css.choice)

/** One of `Choices`, with what it means. */
export const Choice = ({ value, title, children }: { value: string; title: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the Radio in it is its control
  <label className={choiceClass(value === useContext(ChoiceContext).value)}>
    <Radio value={value} />
    <span>
      <Text as="span" weight={500} className={css.title}>
        {title}
      </Text>
      <Text as="span" size="small" tone="text2">
        {children}
      </Text>
    </span>
  </label>
)
