import { expect, it } from 'vitest'
import { workerCount } from './worker-pool.ts'

it.each([
  ['all', null, 1, 1],
  ['all', null, 5, 5],
  ['worker', null, 8, 8],
  ['worker', null, 64, 8],
  ['worker', 20, 4, 20],
  ['all', 0, 4, 0],
  ['api', null, 4, 0],
  ['api', 3, 4, 0],
] as const)('ROLE %s with WORKERS %s on %i cores starts %i workers', (role, workers, cores, expected) => {
  expect(workerCount({ role, workers }, cores)).toBe(expected)
})

it('refuses to be a worker without workers', () => {
  expect(() => workerCount({ role: 'worker', workers: 0 }, 4)).toThrow('WORKERS is 0')
})
