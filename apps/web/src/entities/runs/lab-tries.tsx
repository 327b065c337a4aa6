import type { Trials } from '@shapecast/contracts/trials'
import { useEffect, useSyncExternalStore } from 'react'
import { formatCount } from '#kit/format/number.ts'
import { Facts } from '#kit/ui/facts.tsx'
import { Note } from '#kit/ui/primitives.tsx'

interface LabTries extends Trials {
  readonly symbol: string
  readonly timeframe: string
}

let shown: LabTries | null = null
let told: () => void = () => undefined
const show = (tries: LabTries | null) => {
  shown = tries
  told()
}

/** What the page that is shown says of its series, for the bar above it. */
export const useLabTries = (): LabTries | null =>
  useSyncExternalStore(
    (tell) => {
      told = tell
      return () => {
        told = () => undefined
      }
    },
    () => shown,
  )

/** Shows in the bar of the lab how much was tried on a page's series, while the page is. */
export function useShownTries(tries: Trials | undefined, symbol: string, timeframe: string): void {
  const key = tries && JSON.stringify({ ...tries, symbol, timeframe })
  useEffect(() => {
    if (key === undefined) return
    show(JSON.parse(key))
    return () => show(null)
  }, [key])
}

const KINDS = { preview: 'Rule previews', backtest: 'Backtests', search: 'Searches', training: 'Trainings' } as const

/** The trial ledger of a series, by kind. */
export function TriesByKind({
  byKind,
  then = [],
}: Pick<Trials, 'byKind'> & { then?: { label: string; value: string }[] }) {
  return (
    <>
      <Facts
        facts={[
          ...Object.entries(KINDS).map(([kind, label]) => ({
            label,
            value: formatCount(byKind[kind as keyof typeof KINDS] ?? 0),
          })),
          ...then,
        ]}
      />
      <Note>Counted by itself; deleting a run does not take it away.</Note>
    </>
  )
}
