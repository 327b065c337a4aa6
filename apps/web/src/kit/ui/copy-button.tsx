import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import css from './copy-button.module.css'
import { Note, Row, Text } from './primitives.tsx'

const WORDS = { waits: 'Copy', copied: 'Copied', refused: 'Select it and copy it' } as const

/** Copies a text, and says whether it did: a browser may refuse it, as on plain HTTP. */
export function CopyButton({ value, variant }: { value: string } & Pick<ButtonLook, 'variant'>) {
  const [state, setState] = useState<keyof typeof WORDS>('waits')
  const copy = async () => setState((await copyText(value)) ? 'copied' : 'refused')
  return (
    <Button
      {...(variant !== undefined && { variant })}
      startIcon={state === 'copied' ? <Check /> : <Copy />}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{WORDS[state]}</span>
    </Button>
  )
}

/** Puts a text on the clipboard. Answers whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers have it on HTTPS and on this machine alone.
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // It was not allowed.
  }
  return copySelected(text)
}

/** The way that plain HTTP has. The text is selected without a focus, which a dialog would take back. */
function copySelected(text: string): boolean {
  const selection = document.getSelection()
  if (selection === null || typeof document.execCommand !== 'function') return false
  const kept = selection.rangeCount > 0 ? selection.getRangeAt(0) : null
  const holder = document.createElement('span')
  holder.textContent = text
  Object.assign(holder.style, { position: 'fixed', opacity: '0', whiteSpace: 'pre', userSelect: 'text' })
  document.body.append(holder)
  const range = document.createRange()
  range.selectNodeContents(holder)
  selection.removeAllRanges()
  selection.addRange(range)
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    selection.removeAllRanges()
    if (kept !== null) selection.addRange(kept)
    holder.remove()
  }
}

/** A code or secret that is never shown again, with a button that copies it. */
export function ShownOnce({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div role="group" aria-label={label}>
      <Text as="div" size="label" tone="text2" style={{ marginBottom: 6 }}>
        {label}
      </Text>
      <Row gap={1} align="start">
        <output className={css.value}>{value}</output>
        <CopyButton value={value} />
      </Row>
      {children !== undefined && <Note above={0.75}>{children}</Note>}
    </div>
  )
}
