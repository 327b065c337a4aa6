import type { Model, ModelStage } from '@shapecast/contracts/ml'
import { expect, it } from 'vitest'
import { byStageThenNewest, currentOf } from './versions.ts'

/** A version with so many artifacts, trained last at that time. */
const model = (
  version: string,
  stage: ModelStage,
  lastUpdate: number | null,
  artifacts = lastUpdate === null ? 0 : 1,
) =>
  ({ version, stage, stats: { last_update: lastUpdate }, artifacts: new Array(artifacts).fill({}) }) as unknown as Model

it('puts versions by stage, then the newest first and those never trained last, then by name', () => {
  const sorted = [
    model('d', 'archived', 9),
    model('c', 'staging', null),
    model('b', 'staging', 0),
    model('z', 'production', 1),
    model('y', 'production', 2),
    model('a', 'staging', 0),
    model('e', 'staging', null),
  ]
    .sort(byStageThenNewest)
    .map(({ version }) => version)
  expect(sorted).toEqual(['y', 'z', 'a', 'b', 'c', 'e', 'd'])
})

it('the current version is the first in production that can predict, or none', () => {
  const [untrained, trained] = [model('a', 'production', 5, 0), model('b', 'production', 4)]
  expect(currentOf([untrained, trained, model('c', 'production', 3)])).toBe('b')
  expect(currentOf([untrained, model('s', 'staging', 9)])).toBeNull()
})
