import type { Model } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import { Chip } from '#kit/ui/chip.tsx'
import { directionWords } from './direction-verdict.ts'

/** Whether the direction of a version beats its baseline on every series that it was judged on. Nothing before that. */
export function ModelVerdict({ model }: { model: Model }) {
  const verdicts = model.artifacts.filter(({ accuracy }) => accuracy.outcomes > 0).map(({ direction }) => direction)
  const shown = verdicts.find(({ holdsUp }) => !holdsUp) ?? verdicts[0]
  if (shown === undefined) return null
  const { holdsUp } = shown
  return (
    <Chip
      label={directionWords(shown).chip}
      tone={holdsUp ? 'filled' : 'warn'}
      icon={holdsUp ? <Check /> : <Equal />}
    />
  )
}
