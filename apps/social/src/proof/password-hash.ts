import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** argon2id, 19 MiB, 2 passes, 1 lane: the OWASP Password Storage Cheat Sheet's first argon2id setting. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** PHC string (argon2id with a salt of its own) of a password. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST)

let nobody: Promise<string> | undefined

/**
 * Whether `password` belongs to `passwordHash`. With no hash (an unknown account) it does the same work against the
 * hash of a random password and answers false, so that the time tells nothing about which accounts exist.
 */
export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  nobody ??= hashPassword(randomBytes(24).toString('base64'))
  const decoy = await nobody
  const matches = await verify(passwordHash ?? decoy, password)
  return passwordHash !== undefined && matches
}
