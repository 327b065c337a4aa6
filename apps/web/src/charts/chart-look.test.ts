import { expect, it } from 'vitest'
import { utcSeconds } from './chart-look.ts'

it('a chart counts 2023-11-14 22:13:20 UTC as 1,700,000,000', () =>
  expect(utcSeconds(Date.UTC(2023, 10, 14, 22, 13, 20))).toBe(1_700_000_000))
