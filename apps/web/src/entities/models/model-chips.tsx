import { driftStates } from '@shapecast/contracts/drift'
import type { Model } from '@shapecast/contracts/ml'
import { Check, Equal } from 'lucide-react'
import { Chip } from '#kit/ui/chip.tsx'
import { Row } from '#kit/ui/primitives.tsx'
import { REFRESH_MS, useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { AccuracyChip, CurrentChip, StageChip } from '../markets/trading-chips.tsx'
import { directionWords } from './direction-verdict.ts'
import { chipWords, type DriftState, mostUrgent } from './drift-words.ts'

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

/** Warns of a live score that is not what it was, and of features that drift; nothing where both hold. */
export function DriftChip({ state }: { state: DriftState }) {
  const words = chipWords(state)
  return words === null ? null : <Chip tone="warn" label={words.label} title={words.title} />
}

/** The same of a whole version, in a list: one call for all of them, and nothing where it fails. */
export function VersionDriftChip({ version }: { version: string }) {
  const { data } = useEndpointQuery(driftStates, {}, { refetchInterval: REFRESH_MS })
  return <DriftChip state={mostUrgent((data ?? []).filter((state) => state.version === version))} />
}

/** 'current', the stage, `acc 57%`. */
export const ModelChips = ({ model, isCurrent }: { model: Model; isCurrent: boolean }) => (
  <Row as="span" gap={0.75} align="stretch" wrap style={{ display: 'inline-flex' }}>
    {isCurrent && <CurrentChip />}
    <StageChip stage={model.stage} />
    {model.artifacts.some(({ origin }) => origin === 'uploaded') && <Chip label="uploaded" tone="outline" />}
    {model.stats.accuracy !== null && <AccuracyChip ratio={model.stats.accuracy} />}
  </Row>
)
