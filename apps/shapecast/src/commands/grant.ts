import { ROLES, type Role } from '@shapecast/contracts/auth'
import { grantRole } from '@shapecast/social/features/auth/accounts'
import { Argument, type Command } from 'commander'
import { withStored } from './open.ts'
import { print } from './output.ts'

export const addGrant = (command: Command): void => {
  command
    .addArgument(new Argument('<role>', 'what they may do').choices(ROLES))
    .argument('<email>', 'the e-mail address of the account')
    .action(async (role: Role, email: string) => {
      const user = await withStored(({ db, sessions }) => grantRole({ db, sessions }, email.trim().toLowerCase(), role))
      print(`${user.username} (${user.email}) is now ${role}.`)
    })
}
