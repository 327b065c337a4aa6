import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import css from './shown-once.module.css'
import { Note, Text } from './text.tsx'

/** A code or secret that is never shown again, with a button that copies it. */
export function ShownOnce({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={label}>
      <Text as="div" size="label" tone="text2" className={css.label}>
        {label}
      </Text>
      <div className={css.row}>
        <output className={css.value}>{value}</output>
        <CopyButton value={value} />
      </div>
      {children !== undefined && <Note className={css.note}>{children}</Note>}
    </div>
  )
}
