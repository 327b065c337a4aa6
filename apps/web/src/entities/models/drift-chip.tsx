import { driftStates } from '@shapecast/contracts/drift'
import { Chip } from '#kit/ui/chip.tsx'
import { REFRESH_MS } from '#wire/calls/refresh.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { chipWords, type DriftState, mostUrgent } from './drift-words.ts'

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
