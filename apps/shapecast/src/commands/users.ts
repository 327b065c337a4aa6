import { Email } from '@shapecast/contracts/auth'
import { Policy } from '@shapecast/contracts/policy'
import type { ManagedUser } from '@shapecast/contracts/users'
import { SYSTEM } from '@shapecast/platform/audit'
import { listUsers } from '@shapecast/social/users/user-list'
import { createUserService, type UserService } from '@shapecast/social/users/user-service'
import { pauseRealBots } from '@shapecast/trading/bots/kept-of-users'
import { Argument, type Command } from 'commander'
import { withStored } from './open.ts'
import { dateOf, print, table } from './output.ts'

const MOST_LISTED = 10_000

const withService = <T>(work: (service: UserService) => Promise<T>): Promise<T> =>
  withStored(({ db, sessions }) => work(createUserService({ db, sessions, pauseRealBots, now: Date.now })))

const until = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
const rowOf = (user: ManagedUser): string[] => [
  user.username,
  user.email,
  user.role,
  user.state,
  user.hasSecondFactor ? 'on' : 'off',
  dateOf(user.lastSeenAt),
]

export const addUsers = (command: Command): void => {
  command
    .command('list')
    .description('every account: name, email, role, state, second factor, when it was last seen')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: true }) => {
      const { users } = await withStored(({ db }) => listUsers(db.orm, { page: 1, limit: MOST_LISTED }, Date.now()))
      if (options.json) print(JSON.stringify(users, null, 2))
      else print(table([['name', 'email', 'role', 'state', 'second factor', 'seen'], ...users.map(rowOf)], 'words'))
    })

  const onAccount = (name: string, about: string, work: (service: UserService, user: ManagedUser) => Promise<string>) =>
    command
      .command(name)
      .description(about)
      .argument('<email>', 'the email address of the account')
      .action(async (email: string) => {
        print(await withService(async (service) => work(service, await service.byEmail(email))))
      })

  onAccount('disable', 'keep an account from being used, and end its sessions', async (service, user) => {
    await service.setDisabled(user.id, true, SYSTEM)
    return `${user.username} (${user.email}) is disabled.`
  })
  onAccount('enable', 'let an account be used again', async (service, user) => {
    await service.setDisabled(user.id, false, SYSTEM)
    return `${user.username} (${user.email}) may sign in again.`
  })
  onAccount('sign-out', 'end every session of an account', async (service, user) => {
    await service.endSessions(user.id, SYSTEM)
    return `${user.username} (${user.email}) is signed out everywhere.`
  })
  onAccount('reset-code', 'a code for a new password, good once and for a day', async (service, user) => {
    const { code, expiresAt } = await service.makeResetCode(user.id, SYSTEM)
    return `${user.username} sets a new password with ${code}, until ${until(expiresAt)}.`
  })

  command
    .command('invite')
    .description('a code that registers one email address, good once and for 7 days')
    .argument('<email>', 'who is invited')
    .action(async (email: string) => {
      const { invitation, code } = await withService((service) => service.invite(Email.parse(email), SYSTEM))
      print(`${invitation.email} registers with ${code}, until ${until(invitation.expiresAt)}.`)
    })

  command
    .command('registration')
    .description('say who may register')
    .addArgument(
      new Argument('<mode>', 'open, invitation or closed').choices(Policy.shape.registration.unwrap().options),
    )
    .action(async (mode: Policy['registration']) => {
      const { registration } = await withService((service) =>
        service.changePolicy({ registration: mode }, SYSTEM, async () => {}),
      )
      print(`Registration: ${registration}.`)
    })
}
