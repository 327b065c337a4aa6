import { lazy, Suspense, useEffect, useState } from 'react'
import { askForProofBy } from '../calls/client.ts'

const ProofDialog = lazy(async () => ({ default: (await import('./proof-dialog.tsx')).ProofDialog }))

/** Draws the question who it is over whatever page made a call that takes fresh proof. */
export function ProofGate() {
  const [answer, setAnswer] = useState<((given: boolean) => void) | null>(null)
  useEffect(() => askForProofBy(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  if (answer === null) return null
  const end = (given: boolean) => {
    setAnswer(null)
    answer(given)
  }
  return (
    <Suspense>
      <ProofDialog onGiven={() => end(true)} onClose={() => end(false)} />
    </Suspense>
  )
}
