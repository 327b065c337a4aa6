import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { copyText } from './copy-text.ts'

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
