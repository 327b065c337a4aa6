import { Email, ROLES, type Role } from '@shapecast/contracts/auth'
import { Policy } from '@shapecast/contracts/policy'
import type { ManagedUser } from '@shapecast/contracts/users'
import { SYSTEM } from '@shapecast/platform/audit'
import { invite } from '@shapecast/social/users/invitations'
import { adminsResetCode } from '@shapecast/social/users/reset-codes'
import { listUsers } from '@shapecast/social/users/user-list'
import {
  type AccountGround,
  changePolicy,
  endSessionsOf,
  setDisabled,
  setRole,
  userByEmail,
} from '@shapecast/social/users/user-service'
import { pauseRealBots } from '@shapecast/trading/bots/kept-of-users'
import { Argument, type Command } from 'commander'
import { withStored } from './open.ts'
import { dateOf, minuteOf, print, printAs, table } from './output.ts'

const MOST_LISTED = 10_000

const withAccounts = <T>(work: (ground: AccountGround) => Promise<T>): Promise<T> =>
  withStored(({ db, sessions }) => work({ db, sessions, tradingData: { pauseRealBots }, now: Date.now }))

const rowOf = (user: ManagedUser): string[] => [
  user.username,
  user.email,
  user.role,
  user.state,
  user.hasSecondFactor ? 'on' : 'off',
  dateOf(user.lastSeenAt),
]

export const addGrant = (command: Command): void => {
  command
    .addArgument(new Argument('<role>', 'what they may do').choices(ROLES))
    .argument('<email>', 'the email address of the account')
    .action(async (role: Role, email: string) => {
      const user = await withAccounts(async (ground) => {
        const found = await userByEmail(ground, email)
        await setRole(ground, found.id, role, SYSTEM)
        return found
      })
      print(`${user.username} (${user.email}) is now ${role}.`)
    })
}

export const addUsers = (command: Command): void => {
  command
    .command('list')
    .description('every account: name, email, role, state, second factor, when it was last seen')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: true }) => {
      const { users } = await withStored(({ db }) => listUsers(db.orm, { page: 1, limit: MOST_LISTED }, Date.now()))
      const head = ['name', 'email', 'role', 'state', 'second factor', 'seen']
      printAs(options.json, users, () => table([head, ...users.map(rowOf)], 'words'))
    })

  const onAccount = (
    name: string,
    about: string,
    work: (ground: AccountGround, user: ManagedUser) => Promise<string>,
  ) =>
    command
      .command(name)
      .description(about)
      .argument('<email>', 'the email address of the account')
      .action(async (email: string) => {
        print(await withAccounts(async (ground) => work(ground, await userByEmail(ground, email))))
      })

  onAccount('disable', 'keep an account from being used, and end its sessions', async (ground, user) => {
    await setDisabled(ground, user.id, true, SYSTEM)
    return `${user.username} (${user.email}) is disabled.`
  })
  onAccount('enable', 'let an account be used again', async (ground, user) => {
    await setDisabled(ground, user.id, false, SYSTEM)
    return `${user.username} (${user.email}) may sign in again.`
  })
  onAccount('sign-out', 'end every session of an account', async (ground, user) => {
    await endSessionsOf(ground, user.id, SYSTEM)
    return `${user.username} (${user.email}) is signed out everywhere.`
  })
  onAccount('reset-code', 'a code for a new password, good once and for a day', async (ground, user) => {
    const { code, expiresAt } = await adminsResetCode(ground, user.id, SYSTEM)
    return `${user.username} sets a new password with ${code}, until ${minuteOf(expiresAt)}.`
  })

  command
    .command('invite')
    .description('a code that registers one email address, good once and for 7 days')
    .argument('<email>', 'who is invited')
    .action(async (email: string) => {
      const { invitation, code } = await withAccounts((ground) => invite(ground, Email.parse(email), SYSTEM))
      print(`${invitation.email} registers with ${code}, until ${minuteOf(invitation.expiresAt)}.`)
    })

  command
    .command('registration')
    .description('say who may register')
    .addArgument(
      new Argument('<mode>', 'open, invitation or closed').choices(Policy.shape.registration.unwrap().options),
    )
    .action(async (mode: Policy['registration']) => {
      const { policy } = await withAccounts((ground) =>
        changePolicy(ground, { registration: mode }, SYSTEM, async () => {}),
      )
      print(`Registration: ${policy.registration}.`)
    })
}
