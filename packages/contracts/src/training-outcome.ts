import { z } from 'zod'

/** What came of a completed training: whether its artifact predicts in the place of the one before it, and why. */
export const TrainingOutcome = z.object({
  /** How it was decided when the training ended. `first`: its series had no artifact. `waits`: for its owner or a manager. */
  decision: z.enum(['first', 'took_over', 'old_stays', 'waits']),
  /** In words, with the figures of both on the same unseen candles; null for the first of its series. */
  verdict: z.string().nullable(),
  /** Whether the artifact predicts now: a manager, or a later training, may have changed that since. */
  predicts: z.boolean(),
})
export type TrainingOutcome = z.infer<typeof TrainingOutcome>
