import { useEffect, useState } from 'react'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { askForProofBy } from '../calls/client.ts'

const ProofDialog = onDemand(async () => (await import('./proof-dialog.tsx')).ProofDialog)

/** Draws the question who it is over whatever page made a call that takes fresh proof. */
export function ProofGate() {
  const [answer, setAnswer] = useState<((given: boolean) => void) | null>(null)
  useEffect(() => askForProofBy(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (answer === null) return null
  const end = (given: boolean) => {
    setAnswer(null)
    answer(given)
  }
  return <ProofDialog onGiven={() => end(true)} onClose={() => end(false)} />
}
