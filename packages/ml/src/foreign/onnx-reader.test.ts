import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtobufWriter } from '../graph/protobuf-writer.ts'
import { readOnnx } from './onnx-reader.ts'
import { readFields } from './protobuf-reader.ts'
import { plainModel } from './testing/plain-model.ts'

const file = plainModel()

describe('readFields', () => {
  it('gives numbers and values in their order: 08 96 01 is field 1 with 150', () => {
    expect([...readFields(Uint8Array.of(0x08, 0x96, 0x01, 0x12, 0x02, 0x61, 0x62))]).toEqual([
      { number: 1, int: 150n },
      { number: 2, bytes: Uint8Array.of(0x61, 0x62) },
    ])
  })

  it('refuses what is torn, without reading past the end', () => {
    expect(() => [...readFields(Uint8Array.of(0x12, 0x7f, 0x61))]).toThrow('ends in the middle of a field')
    expect(() => [...readFields(Uint8Array.of(0x08, 0x96))]).toThrow('ends in the middle of a field')
    expect(() => [...readFields(Uint8Array.of(0x0b))]).toThrow('unknown wire type 3')
    expect(() => [...readFields(new Uint8Array(12).fill(0xff))]).toThrow('more than ten bytes')
  })
})

describe('readOnnx', () => {
  it('tells what a file says of itself', () => {
    expect(readOnnx(file)).toEqual({
      producer: 'shapecast',
      irVersion: 8,
      opsets: { '': 17 },
      inputs: [{ name: 'x', elementType: 1, shape: [null, 4, 2] }],
      outputs: [
        { name: 'quantiles', elementType: 1, shape: [null, 40] },
        { name: 'up_logit', elementType: 1, shape: [null, 1] },
      ],
      nodes: 4,
      customDomains: [],
      externalData: false,
    })
  })

  it('notices weights that lie in another file, also deep in a branch', () => {
    const outside = new ProtobufWriter().string(8, 'w').int(14, 1)
    const graph = (body: ProtobufWriter) => new ProtobufWriter().message(7, body).finish()
    expect(readOnnx(graph(new ProtobufWriter().message(5, outside))).externalData).toBe(true)
    const branch = new ProtobufWriter().message(6, new ProtobufWriter().message(5, outside))
    const node = new ProtobufWriter().string(4, 'If').message(5, branch)
    expect(readOnnx(graph(new ProtobufWriter().message(1, node))).externalData).toBe(true)
  })

  it('does not count weights that are listed among the inputs', () => {
    const named = (name: string) => new ProtobufWriter().string(1, name)
    const body = new ProtobufWriter()
      .message(5, new ProtobufWriter().string(8, 'w'))
      .message(11, named('x'))
      .message(11, named('w'))
    expect(readOnnx(new ProtobufWriter().message(7, body).finish()).inputs.map(({ name }) => name)).toEqual(['x'])
  })

  it('gives up on a file of crumbs, each of them a node', () => {
    const crumbs = new Uint8Array(4_000_000)
    for (let i = 0; i < crumbs.length; i += 2) crumbs[i] = (1 << 3) | 2
    expect(() => readOnnx(new ProtobufWriter().bytes(7, crumbs).finish())).toThrow('more than 600000 fields')
  })

  it('ends with an account or a RangeError, whatever the bytes', () => {
    const survives = (bytes: Uint8Array): void => {
      try {
        readOnnx(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), survives))
    const changes = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(changes, fc.nat(file.length), (list, cut) => {
        const bytes = file.slice(0, cut === 0 ? file.length : cut)
        for (const [at, value] of list) if (at < bytes.length) bytes[at] = value
        survives(bytes)
      }),
    )
  })
})
