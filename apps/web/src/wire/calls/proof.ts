/** Asks the person once more who it is; false where they would not say. */
type AskForProof = () => Promise<boolean>

let asker: AskForProof | null = null
let asking: Promise<boolean> | null = null

/** Who draws the question. Returns what takes it away again. */
export function askForProofBy(ask: AskForProof): () => void {
  asker = ask
  return () => {
    if (asker === ask) asker = null
  }
}

/** Asks once, however many calls wait for it. */
export async function askForProof(): Promise<boolean> {
  if (asker === null) return false
  asking ??= asker().finally(() => {
    asking = null
  })
  return asking
}
