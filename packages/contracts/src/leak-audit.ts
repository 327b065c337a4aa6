import { z } from 'zod'

/** One thing that was tried to find a leak, and what came of it, with its numbers. */
export const LeakCheck = z.object({
  name: z.string(),
  passed: z.boolean(),
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
