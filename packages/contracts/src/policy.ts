import { z } from 'zod'

/** Who may come in, and what is asked of them: settings of the installation that an admin changes. */
export const Policy = z.object({
  /** Whether anybody may register, only those with an invitation, or nobody. */
  registration: z.enum(['open', 'invitation', 'closed']).default('open'),
  /** Admins and managers without a second factor may do nothing but set one up. */
  secondFactorForManagers: z.boolean().default(false),
  /** A bot with real money starts only with a fresh password or code. */
  confirmRealBots: z.boolean().default(true),
  /** Only a task's author and the management roles may move or delete it. */
  tasksRestricted: z.boolean().default(false),
  /** Webhooks may go to addresses of this machine and its private networks. */
  privateWebhooks: z.boolean().default(false),
})
export type Policy = z.infer<typeof Policy>
