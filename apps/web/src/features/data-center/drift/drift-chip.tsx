import type { DriftDecision } from '@shapecast/contracts/drift'
import { driftStates } from '@shapecast/contracts/drift'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { Chip } from '../../../shared/ui/chip.tsx'
import { useRefreshMs } from '../refresh.ts'
import { chipWords, mostUrgent } from './drift-words.ts'

/** Warns of a live score that is not what it was; nothing where it holds. */
export function DriftChip({ decision }: { decision: DriftDecision }) {
  const words = chipWords(decision)
  return words === null ? null : <Chip tone="warn" label={words.label} title={words.title} />
}

/** The same of a whole version, in a list: one call for all of them, and nothing where it fails. */
export function VersionDriftChip({ version }: { version: string }) {
  const { data } = useEndpointQuery(driftStates, {}, { refetchInterval: useRefreshMs() })
  const decisions = (data ?? []).filter((state) => state.version === version).map(({ decision }) => decision)
  return <DriftChip decision={mostUrgent(decisions)} />
}
