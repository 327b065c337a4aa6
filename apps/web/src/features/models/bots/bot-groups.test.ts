import type { Policy } from '@shapecast/contracts/policies'
import { describe, expect, it } from 'vitest'
import { firstBots, groupBots } from './bots-card.tsx'

const bot = (
  name: string,
  version: string | null,
  ensemble: string[] | null = null,
  strategy: 'ml' | 'openai' = 'ml',
  policy: Policy = 'signal',
) => ({
  name,
  strategy,
  mlModelVersion: version,
  mlModelVersions: ensemble,
  parameters: { policy },
})

describe('bots by model version', () => {
  const groups = groupBots(
    [
      bot('Slow Tide', null),
      bot('Harbour Ensemble', null, ['v3.2', 'v3.1', 'v2.9']),
      bot('Lattice Pairs', 'v3.1'),
      bot('Northwind BTC', 'v3.2'),
      bot('Granite Swing', 'v3.1'),
      bot('Old Friend', 'v1'),
      bot('Asker', 'v3.2', null, 'openai'),
      bot('Ballast', null, null, 'ml', 'steady_risk'),
    ],
    ['v3.2', 'v3.1', 'v3.3'],
    'v3.1',
  )
  it('stand in the order of the models, then unknown versions, ensembles, and bots without one', () =>
    expect(groups.map(({ key }) => key)).toEqual(['v3.2', 'v3.1', 'v1', 'v3.2 + v3.1 + v2.9', '']))
  it('stand by name within a group', () =>
    expect(groups[1]?.bots.map(({ name }) => name)).toEqual(['Granite Swing', 'Lattice Pairs', 'Slow Tide']))
  it('stand under the current model when they follow it, and under none where none is current', () =>
    expect(groupBots([bot('Slow Tide', null)], ['v3.1'], null).map(({ key }) => key)).toEqual(['']))
  it('have none when they ask OpenAI, or when their policy asks no model', () =>
    expect(groups.at(-1)?.bots.map(({ name }) => name)).toEqual(['Asker', 'Ballast']))
  it('are cut after the first four with the heads of their groups', () =>
    expect(firstBots(groups, 4).map(({ key, bots }) => [key, ...bots.map(({ name }) => name)])).toEqual([
      ['v3.2', 'Northwind BTC'],
      ['v3.1', 'Granite Swing', 'Lattice Pairs', 'Slow Tide'],
    ]))
  it('are cut within a group where that is where the last one stands', () =>
    expect(firstBots(groups, 2).map(({ bots }) => bots.length)).toEqual([1, 1]))
})
