import { expect, it } from 'vitest'
import { createProgressMeter } from './progress-meter.ts'

it('the seconds left are estimated from the epochs of both networks, without those that are not needed', () => {
  let now = 0
  const left: (number | null)[] = []
  const meter = createProgressMeter(
    3,
    ({ secondsLeft }) => left.push(secondsLeft),
    () => now,
  )
  const ended = (network: 'lstm' | 'transformer', epoch: number, atMs: number) => {
    now = atMs
    meter.epochEnded(network, { epoch, trainLoss: 1, validationLoss: 1 })
  }
  meter.begin('networks')
  // Six epochs: one took 2 s, then two 4 s, then three 6 s; the Transformer stops after its first.
  ended('lstm', 1, 2000)
  ended('transformer', 1, 4000)
  ended('lstm', 2, 6000)
  meter.networkEnded('transformer')
  expect(left).toEqual([null, 10, 8, 6, 2])
})
