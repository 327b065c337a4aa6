import { vi } from 'vitest'

// A password's hash takes 19 MB and 10 ms by intent, a quarter of all that tests of accounts take. `attacks.test.ts` keeps it.
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const real = await importOriginal<typeof import('@node-rs/argon2')>()
  return { ...real, hash: (password: string) => real.hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }) }
})
