import { describe, expect, it } from 'vitest'
import { seriesOf, shownArtifact } from './artifact-list.tsx'

const artifact = (id: string, createdAt: number, active: boolean, symbol = 'BTCUSDT') => ({
  id,
  createdAt,
  active,
  symbol,
  timeframe: '1h' as const,
})
const artifacts = [artifact('new', 3, false), artifact('old', 1, true), artifact('eth', 2, true, 'ETHUSDT')]

describe('the artifact that a model page shows', () => {
  it('is the one in the address', () => expect(shownArtifact(artifacts, 'new')?.id).toBe('new'))
  it('is else the newest that predicts', () => expect(shownArtifact(artifacts, null)?.id).toBe('eth'))
  it('is else the newest', () =>
    expect(shownArtifact([artifact('a', 1, false), artifact('b', 2, false)], 'x')?.id).toBe('b'))
  it('is none where there is none', () => expect(shownArtifact([], null)).toBeUndefined())
})

it('every series leads to the artifact that predicts it', () =>
  expect(seriesOf(artifacts)).toEqual([
    { name: 'BTCUSDT 1h', artifactId: 'old' },
    { name: 'ETHUSDT 1h', artifactId: 'eth' },
  ]))
