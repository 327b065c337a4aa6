import { z } from 'zod'

/** Who may come in, and what is asked of them: settings of the installation that an admin changes. */
export const Policy = z.object({
  /** Who may register: anybody, those with an invitation, or nobody. */
  registration: z.enum(['open', 'invitation', 'closed']).default('open'),
  /** Admins and managers without a second factor may do nothing but set one up. */
  secondFactorForManagers: z.boolean().default(false),
  /** A bot with real money starts only with fresh proof of who starts it. */
  confirmRealBots: z.boolean().default(true),
  /** Only a task's author and the management roles may move or delete it. */
  tasksRestricted: z.boolean().default(true),
  /** Webhooks may go to addresses of this machine and its private networks. */
  privateWebhooks: z.boolean().default(false),
})
export type Policy = z.infer<typeof Policy>

/** How much each setting lets happen: what is higher protects less. */
const LAXITY: { readonly [Key in keyof Policy]: (value: Policy[Key]) => number } = {
  registration: (mode) => ['closed', 'invitation', 'open'].indexOf(mode),
  secondFactorForManagers: (isOn) => Number(!isOn),
  confirmRealBots: (isOn) => Number(!isOn),
  tasksRestricted: (isOn) => Number(!isOn),
  privateWebhooks: Number,
}

const laxityOf = <Key extends keyof Policy>(key: Key, policy: Policy): number => LAXITY[key](policy[key])

/** Whether a change of the policy takes some protection away. */
export const weakensPolicy = (before: Policy, after: Policy): boolean =>
  (Object.keys(LAXITY) as (keyof Policy)[]).some((key) => laxityOf(key, after) > laxityOf(key, before))
