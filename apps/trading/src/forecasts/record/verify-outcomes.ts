import type { DoubtfulOutcome, OutcomeCheckStore } from './outcome-check-store.ts'
import type { Finding } from './verify-record.ts'

const BATCH = 2000

export interface OutcomesVerified {
  outcomes: number
  /** Those whose candle is stored. */
  compared: number
  /** How often predictions came too late to be sealed. */
  late: number
  findings: Finding[]
  /** Differences that accuse nobody. */
  notes: Finding[]
}

/**
 * Holds every outcome on record against the stored candle and against its own fan. `revisionsKeptMs` is how long it is kept
 * what a venue has changed of a candle: a difference that is younger and not kept was made by somebody.
 */
export async function verifyOutcomes(
  store: OutcomeCheckStore,
  nowMs: number,
  revisionsKeptMs: number,
): Promise<OutcomesVerified> {
  const { written, there, late } = await store.counts()
  const found: OutcomesVerified = { outcomes: 0, compared: 0, late, findings: [], notes: [] }
  const missing = written - there
  if (missing > 0)
    found.findings.push({
      seq: null,
      text: `${missing === 1 ? 'One was' : `${missing} were`} deleted: ${written} were written in all, and ${there} are there. What was deleted may have been written again from the candles that are stored now.`,
    })
  if (missing < 0)
    found.findings.push({ seq: null, text: `${-missing} more are there than were written: they were put in.` })
  for (let seq = 0; ; ) {
    const { last, outcomes, compared, doubtful } = await store.after(seq, BATCH)
    if (last === null) return found
    found.outcomes += outcomes
    found.compared += compared
    for (const outcome of doubtful) {
      const { accuses, text } = whatOf(outcome, nowMs - revisionsKeptMs)
      ;(accuses ? found.findings : found.notes).push({ seq: outcome.seq, text })
    }
    seq = last
  }
}

function whatOf(outcome: DoubtfulOutcome, keptSinceMs: number): { accuses: boolean; text: string } {
  const { horizon, price, close, candleTs, madeAtMs, revised, covers } = outcome
  const which = `has an outcome ${horizon} ahead`
  if (!covers)
    return { accuses: true, text: `${which} that was edited: its price ${price} does not lie in its ranges as it says` }
  const differs = `${which} of ${price}, and the candle of ${new Date(candleTs).toISOString()} closes at ${close}`
  if (revised) return { accuses: false, text: `${differs}: the venue revised it after it was scored` }
  if (madeAtMs < keptSinceMs)
    return { accuses: false, text: `${differs}: too long ago for what the venue has revised to be kept` }
  return { accuses: true, text: `${differs}, which the venue has not revised: one of the two was changed` }
}
