import { Check, Equal } from 'lucide-react'
import { Chip } from '#kit/ui/chip.tsx'
import type { RecordVerdict } from './record-verdict.ts'

/** Never green: a record is no promise. */
export const VerdictChip = ({ verdict: { chip, isCaution } }: { verdict: RecordVerdict }) => (
  <Chip label={chip} tone={isCaution ? 'warn' : 'filled'} icon={isCaution ? <Equal /> : <Check />} />
)
