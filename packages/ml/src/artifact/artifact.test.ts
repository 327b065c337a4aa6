import { describe, expect, it } from 'vitest'
import { exampleCard } from '../testing/example-card.ts'
import { artifactHash, type ModelArtifactFile, packArtifact, unpackArtifact } from './artifact.ts'
import type { ModelCard } from './card.ts'

const artifact = (): ModelArtifactFile => ({
  card: exampleCard(),
  files: {
    'lstm.onnx': Uint8Array.of(1, 2, 3),
    'conformal-scores.f64': new Uint8Array(0),
    'a.state': Uint8Array.of(255),
  },
})

describe('packArtifact and unpackArtifact', () => {
  it('give back the card and every file', () => expect(unpackArtifact(packArtifact(artifact()))).toEqual(artifact()))

  it('open an artifact whose card was made before it told its engine, with the hash that it had', () => {
    const older = artifact()
    delete older.card.engine
    const opened = unpackArtifact(packArtifact(older))
    expect(opened.card.engine).toBeUndefined()
    expect(artifactHash(opened)).toBe(artifactHash(older))
    expect(artifactHash(older)).not.toBe(artifactHash(artifact()))
  })

  it('work on a file that lies within a larger buffer', () => {
    const packed = packArtifact(artifact())
    const larger = new Uint8Array(packed.length + 7)
    larger.set(packed, 7)
    expect(unpackArtifact(larger.subarray(7))).toEqual(artifact())
  })

  const packed = packArtifact(artifact())
  const altered = (at: number): Uint8Array => {
    const copy = packed.slice()
    copy[at]! ^= 1
    return copy
  }
  it.each([
    ['an empty file', new Uint8Array(0), 'does not begin like one'],
    [
      'another file',
      new TextEncoder().encode('timestamp,open,high,low,close,volume\n1,2,3,4,5,6\n'),
      'does not begin like one',
    ],
    ['a later version', altered(16), 'version 0'],
    ['one cut within the manifest', packed.subarray(0, 200), 'cut short'],
    ['one cut within the files', packed.subarray(0, packed.length - 1), 'damaged'],
    ['one with an altered byte in a file', altered(packed.length - 1), 'damaged'],
    ['one with a byte too many', Uint8Array.of(...packed, 0), 'another length'],
  ])('refuse %s', (_what, bytes, reason) => {
    expect(() => unpackArtifact(bytes)).toThrow(reason)
    expect(() => unpackArtifact(bytes)).toThrow(expect.objectContaining({ code: 'unprocessable' }))
  })

  it('name the place where a card does not fit', () => {
    const wrong = artifact()
    wrong.card.settings.lookback = Number.NaN
    expect(() => unpackArtifact(packArtifact(wrong))).toThrow('card.settings.lookback')
  })
})

describe('what a packed file may hold', () => {
  it('has plain file names', () => {
    const wrong = artifact()
    wrong.files['../../../etc/passwd'] = new Uint8Array(1)
    expect(() => unpackArtifact(packArtifact(wrong))).toThrow('does not fit at files')
  })

  it.each<[string, (card: ModelCard) => void]>([
    ['a weight too many', (card) => card.logistic.weights.push(1)],
    ['a deviation of 0', (card) => card.features.sd.fill(0)],
    ['a horizon without quantiles', (card) => card.har.residualQuantiles.pop()],
    ['quantiles out of order', (card) => card.quantiles.reverse()],
  ])('has no card with %s', (_what, spoil) => {
    const wrong = artifact()
    spoil(wrong.card)
    expect(() => unpackArtifact(packArtifact(wrong))).toThrow('does not fit at card')
  })
})

describe('artifactHash', () => {
  it('stays when the time of creation or the order of keys and files changes', () => {
    const other = artifact()
    other.card = Object.fromEntries(Object.entries({ ...other.card, createdAtMs: 1 }).reverse()) as typeof other.card
    other.files = Object.fromEntries(Object.entries(other.files).reverse())
    expect(artifactHash(other)).toBe(artifactHash(artifact()))
    expect(artifactHash(unpackArtifact(packArtifact(other)))).toBe(artifactHash(artifact()))
  })

  it('changes with any number of the card and any byte of a file', () => {
    const [card, file] = [artifact(), artifact()]
    card.card.calibration.weight += 1e-12
    file.files['lstm.onnx']![0] = 9
    expect(new Set([card, file, artifact()].map(artifactHash)).size).toBe(3)
  })
})
