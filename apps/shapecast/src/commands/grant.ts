import { ROLES, type Role } from '@shapecast/contracts/auth'
import { SYSTEM } from '@shapecast/platform/audit'
import { createUserService } from '@shapecast/social/users/user-service'
import { pauseRealBots } from '@shapecast/trading/bots/kept-of-users'
import { Argument, type Command } from 'commander'
import { withStored } from './open.ts'
import { print } from './output.ts'

export const addGrant = (command: Command): void => {
  command
    .addArgument(new Argument('<role>', 'what they may do').choices(ROLES))
    .argument('<email>', 'the email address of the account')
    .action(async (role: Role, email: string) => {
      const user = await withStored(async ({ db, sessions }) => {
        const service = createUserService({ db, sessions, pauseRealBots, now: Date.now })
        const found = await service.byEmail(email)
        await service.setRole(found.id, role, SYSTEM)
        return found
      })
      print(`${user.username} (${user.email}) is now ${role}.`)
    })
}
