import type { Model } from '@shapecast/contracts/ml'
import { describe, expect, it } from 'vitest'
import { inModelOrder, testedVersions } from './model-order.ts'

const model = (version: string, stage: string, last_update: number | null) => ({
  version,
  stage,
  stats: { accuracy: null, interval: null, baseline: null, last_update },
})

describe('the order of models', () => {
  it('is production, staging, archived, other; the newest first within each', () =>
    expect(
      inModelOrder([
        model('x', 'shadow', 9),
        model('a1', 'archived', 5),
        model('s1', 'staging', 3),
        model('p1', 'production', 1),
        model('p2', 'production', 2),
        model('s0', 'staging', null),
      ]).map(({ version }) => version),
    ).toEqual(['p2', 'p1', 's1', 's0', 'a1', 'x']))

  it('lets the first 3 production versions be tested together', () => {
    const models = [1, 2, 3, 4].map((i) => ({ ...model(`p${i}`, 'production', i), artifacts: [] }) as Model)
    expect(testedVersions([...models, { ...model('s', 'staging', 9), artifacts: [] } as Model])).toEqual([
      'p4',
      'p3',
      'p2',
    ])
  })
})
