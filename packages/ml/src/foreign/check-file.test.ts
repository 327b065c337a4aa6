import { describe, expect, it } from 'vitest'
import { encodeModel, type OnnxGraph, type OnnxPort } from '../graph/onnx-model.ts'
import { ProtobufWriter } from '../graph/protobuf-writer.ts'
import { checkOnnxFile } from './check-file.ts'
import { ForeignCard } from './foreign-card.ts'

const card = ForeignCard.parse({
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'by hand',
  timeframe: '1h',
  lookback: 4,
  inputs: [{ name: 'return_1' }, { name: 'close' }],
})
const port = (name: string, shape: OnnxPort['shape'], type: OnnxPort['type'] = 'float32') => ({ name, type, shape })
const X = port('x', ['batch', 4, 2])
const QUANTILES = port('quantiles', ['batch', 40])
const UP = port('up_logit', ['batch', 1])

/** A file that says so much of itself; it is not run. */
const file = (said: Partial<OnnxGraph>) =>
  encodeModel({ nodes: [], initialisers: [], inputs: [X], outputs: [QUANTILES, UP], ...said })
const check = (said: Partial<OnnxGraph>) => () => checkOnnxFile(file(said), card)

/** A file of some opset, without a graph's parts. */
const ofOpset = (...versions: number[]) => {
  const model = new ProtobufWriter().message(7, new ProtobufWriter())
  for (const version of versions) model.message(8, new ProtobufWriter().string(1, '').int(2, version))
  return () => checkOnnxFile(model.finish(), card)
}

describe('a file that is checked without being run', () => {
  it('is taken with the outputs flat or by horizon, of a batch that is open, and with sizes that it leaves open', () => {
    expect(check({})().outputs.map(({ name }) => name)).toEqual(['quantiles', 'up_logit'])
    check({ outputs: [port('quantiles', ['n', 8, 5]), UP, port('more', [3])] })()
    check({ inputs: [port('x', ['n', 'candles', 2])], outputs: [port('quantiles', ['n', 'levels']), UP] })()
  })

  it('is taken where it does not say its shapes at all', () => {
    const name = (of: string) => new ProtobufWriter().string(1, of)
    const bare = (of: string) => name(of).message(2, new ProtobufWriter().message(1, new ProtobufWriter().int(1, 1)))
    const graph = new ProtobufWriter()
      .message(11, bare('x'))
      .message(12, bare('quantiles'))
      .message(12, bare('up_logit'))
    const model = new ProtobufWriter().message(7, graph).message(8, new ProtobufWriter().int(2, 17))
    expect(checkOnnxFile(model.finish(), card).inputs).toEqual([{ name: 'x', elementType: 1, shape: null }])
  })

  it.each<[string, Partial<OnnxGraph>]>([
    ['its inputs are none and should be x alone', { inputs: [] }],
    ['its inputs are y and should be x alone', { inputs: [port('y', ['batch', 4, 2])] }],
    ['its inputs are x, y and should be x alone', { inputs: [X, port('y', [1])] }],
    ['x is not float32', { inputs: [port('x', ['batch', 4, 2], 'float64')] }],
    ['x is [batch, 4] and should be [batch, 4, 2]', { inputs: [port('x', ['n', 4])] }],
    ['x is [batch, 4, 2, 1] and should be [batch, 4, 2]', { inputs: [port('x', ['n', 4, 2, 1])] }],
    ['x is [batch, -4, 2] and should be [batch, 4, 2]', { inputs: [port('x', ['n', -4, 2])] }],
    ['x is for a batch of 1 only; export it with a batch size that is left open', { inputs: [port('x', [1, 4, 2])] }],
    ['x is for a batch of -1 only', { inputs: [port('x', [-1, 4, 2])] }],
    ['it has no output named quantiles', { outputs: [UP] }],
    ['it has no output named up_logit', { outputs: [QUANTILES] }],
    [
      'quantiles is [batch, 5, 8] and should be [batch, 40] or [batch, 8, 5]',
      { outputs: [port('quantiles', ['n', 5, 8]), UP] },
    ],
    ['quantiles is not float32', { outputs: [port('quantiles', ['n', 40], 'float64'), UP] }],
    ['up_logit is [batch, 2] and should be [batch, 1]', { outputs: [QUANTILES, port('up_logit', ['n', 2])] }],
    ['up_logit is [batch] and should be [batch, 1]', { outputs: [QUANTILES, port('up_logit', ['n'])] }],
    ['it uses operators of com.microsoft', { nodes: [{ op: 'A', inputs: [], outputs: [], domain: 'com.microsoft' }] }],
  ])('is refused where %s', (reason, said) => {
    expect(check(said)).toThrow(`This ONNX file cannot be used: ${reason}`)
  })

  it('has its weights within itself', () => {
    const values = new ProtobufWriter().string(8, 'w').int(14, 1)
    const graph = new ProtobufWriter().message(15, new ProtobufWriter().message(1, values))
    const model = new ProtobufWriter().message(7, graph).message(8, new ProtobufWriter().int(2, 17))
    expect(() => checkOnnxFile(model.finish(), card)).toThrow('its weights lie in another file; export it as one file')
  })

  it('is of opset 11 to 22', () => {
    for (const version of [10, 23]) expect(ofOpset(version)).toThrow(`its opset is ${version}; 11 to 22 are taken`)
    expect(ofOpset()).toThrow('its opset is not given')
    for (const version of [11, 22]) expect(ofOpset(version)).toThrow('its inputs are none')
  })

  it('has 20,000 nodes at most', () => {
    const nodes = (length: number) => Array.from({ length }, () => ({ op: '', inputs: [], outputs: [] }))
    expect(check({ nodes: nodes(20_000) })().nodes).toBe(20_000)
    expect(check({ nodes: nodes(20_001) })).toThrow('it has 20001 nodes; 20000 are taken')
  })

  it('accepts at most 64 MB', () => {
    const bytes = new Uint8Array(64 * 2 ** 20 + 1)
    const refusal = (given: Uint8Array): unknown => {
      try {
        return checkOnnxFile(given, card)
      } catch (error) {
        return error
      }
    }
    expect(refusal(bytes)).toMatchObject({ code: 'payload_too_large', field: 'onnx' })
    expect(refusal(bytes.subarray(1))).toMatchObject({ code: 'unprocessable', field: 'onnx' })
  })

  it('is not quoted at length', () => {
    const long = 'y'.repeat(1_000_000)
    expect(check({ inputs: [port(long, [1])] })).toThrow(/^This ONNX file cannot be used: its inputs are y{285}…$/)
  })
})
