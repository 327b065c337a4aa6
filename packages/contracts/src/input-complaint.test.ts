import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inputComplaint } from './input-complaint.ts'

const Wanted = z.object({
  symbol: z.string().min(2).max(5),
  limit: z.number().int().min(1).max(9),
  share: z.number().positive().lt(1).optional(),
  id: z.uuid().optional(),
  stage: z.enum(['production', 'staging']).optional(),
  method: z.literal('quantile').optional(),
  width: z.number().multipleOf(2).optional(),
  pairs: z.array(z.string()).min(1).optional(),
  flag: z.boolean().optional(),
  code: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  row: z.tuple([z.number(), z.number()]).optional(),
  sizing: z.discriminatedUnion('kind', [z.object({ kind: z.literal('fixed') })]).optional(),
  params: z.strictObject({ version: z.string().optional() }).optional(),
  said: z.string().min(3, 'Three letters at least').optional(),
})
const GOOD = { symbol: 'BTC', limit: 5 }

describe('what is said of a wrong input', () => {
  it.each<[unknown, string]>([
    [{ ...GOOD, symbol: undefined }, 'symbol is missing'],
    [{ ...GOOD, symbol: null }, 'symbol must be text'],
    [{ ...GOOD, symbol: ['BTC', 'ETH'] }, 'symbol must be text'],
    [{ ...GOOD, symbol: 'B' }, 'symbol must have at least 2 characters'],
    [{ ...GOOD, symbol: 'BITCOIN' }, 'symbol must have at most 5 characters'],
    [{ ...GOOD, limit: '5' }, 'limit must be a number'],
    [{ ...GOOD, limit: Number.POSITIVE_INFINITY }, 'limit must be a number'],
    [{ ...GOOD, limit: 1.5 }, 'limit must be a whole number'],
    [{ ...GOOD, limit: 0 }, 'limit must be at least 1'],
    [{ ...GOOD, limit: 10 }, 'limit must be at most 9'],
    [{ ...GOOD, share: 0 }, 'share must be more than 0'],
    [{ ...GOOD, share: 1 }, 'share must be less than 1'],
    [{ ...GOOD, id: 'x' }, 'id must be an id, such as 01890000-0000-7000-8000-00000000000a'],
    [{ ...GOOD, stage: 'other' }, 'stage must be one of production, staging'],
    [{ ...GOOD, method: 'mean' }, 'method must be quantile'],
    [{ ...GOOD, width: 3 }, 'width must be a multiple of 2'],
    [{ ...GOOD, pairs: [] }, 'pairs must have at least 1 entry'],
    [{ ...GOOD, pairs: {} }, 'pairs must be a list'],
    [{ ...GOOD, pairs: ['a', 7] }, 'pairs.1 must be text'],
    [{ ...GOOD, flag: 'yes' }, 'flag must be true or false'],
    [{ ...GOOD, code: 'A1' }, 'code does not have the form that is expected'],
    [{ ...GOOD, row: [1] }, 'row must have at least 2 entries'],
    [{ ...GOOD, sizing: { kind: 'all' } }, 'sizing.kind is none of what is expected here'],
    [{ ...GOOD, params: 'x' }, 'params must be an object'],
    [{ ...GOOD, params: { versoin: 'v3' } }, 'params takes nothing called versoin. It takes version'],
    [
      { ...GOOD, params: { ['x'.repeat(5_000)]: 1 } },
      `params takes nothing called ${'x'.repeat(60)}…. It takes version`,
    ],
    [{ ...GOOD, said: 'no' }, 'Three letters at least'],
    [[], 'The request must be an object'],
    ['x', 'The request must be an object'],
  ])('%j: %s', (input, sentence) => {
    expect(Wanted.safeParse(input, { error: inputComplaint }).error?.issues[0]?.message).toBe(sentence)
  })
})
