import { z } from 'zod'

/** One thing that was tried to find a leak, and what came of it, with its numbers. */
export const LeakCheck = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** True where it did not pass because it could not have noticed a leak, not because it noticed one. */
  inconclusive: z.boolean().optional(),
  detail: z.string(),
})
export type LeakCheck = z.infer<typeof LeakCheck>

/** Whether a model's pipeline knows anything of the future. */
export const LeakAudit = z.object({
  /** `fast`: what needs no training. `full`: trained anew, small, on candles and labels in which there is nothing to find. */
  mode: z.enum(['fast', 'full']),
  passed: z.boolean(),
  checks: z.array(LeakCheck),
  /** What these checks cannot show, in words; null where nothing is left out. */
  caveat: z.string().nullable(),
  candles: z.object({ count: z.number().int(), from: z.number(), to: z.number() }),
})
export type LeakAudit = z.infer<typeof LeakAudit>

/** What is known of a model: nothing speaks against it, something does, or it was not (or could not be) found out. */
export const LeakVerdict = z.enum(['passed', 'failed', 'unknown'])
export type LeakVerdict = z.infer<typeof LeakVerdict>

/** `failed` where a check noticed a leak; `unknown` where none did but one could not have. */
export function leakVerdict({ checks }: Pick<LeakAudit, 'checks'>): LeakVerdict {
  const notPassed = checks.filter(({ passed }) => !passed)
  if (notPassed.length === 0) return 'passed'
  return notPassed.every(({ inconclusive }) => inconclusive === true) ? 'unknown' : 'failed'
}
