import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtobufWriter } from '../graph/protobuf-writer.ts'
import { readOnnx } from './onnx-reader.ts'
import { readFields } from './protobuf-reader.ts'
import { plainModel } from './testing/plain-model.ts'

const file = plainModel()

/** Messages in messages with the fields of ONNX, each holding anything: a number where a message should be, and so on. */
const { message: anyMessage } = fc.letrec<{ message: ProtobufWriter; value: bigint | string | ProtobufWriter }>(
  (tie) => ({
    message: fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), tie('value')), { maxLength: 6 }).map((fields) => {
      const message = new ProtobufWriter()
      for (const [number, value] of fields)
        if (typeof value === 'bigint') message.int(number, value)
        else if (typeof value === 'string') message.string(number, value)
        else message.message(number, value)
      return message
    }),
    value: fc.oneof({ maxDepth: 7 }, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.string(), tie('message')),
  }),
)

describe('readFields', () => {
  it('gives numbers and values in their order: 08 96 01 is field 1 with 150', () => {
    expect([...readFields(Uint8Array.of(0x08, 0x96, 0x01, 0x12, 0x02, 0x61, 0x62))]).toEqual([
      { number: 1, int: 150n },
      { number: 2, bytes: Uint8Array.of(0x61, 0x62) },
    ])
  })

  it('gives numbers of a fixed size as their bytes, and the largest varint', () => {
    expect([...readFields(Uint8Array.of(0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 9, 8, 7, 6))]).toEqual([
      { number: 1, bytes: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
      { number: 2, bytes: Uint8Array.of(9, 8, 7, 6) },
    ])
    const most = Uint8Array.of(0x08, ...Array<number>(9).fill(0xff), 0x01)
    expect([...readFields(most)]).toEqual([{ number: 1, int: 2n ** 64n - 1n }])
    expect(() => [...readFields(Uint8Array.of(...most.with(10, 0x81), 0))]).toThrow('more than ten bytes')
  })

  it('refuses numbers of fields that others would read as another: 0, and beyond 32 bits', () => {
    expect(() => [...readFields(Uint8Array.of(0x02, 0))]).toThrow('A field has the number 0')
    // Field 2²⁹ − 1 is the last one; with another bit, 32 bits of the key are those of field 13.
    expect([...readFields(Uint8Array.of(0xf8, 0xff, 0xff, 0xff, 0x0f, 5))]).toEqual([{ number: 2 ** 29 - 1, int: 5n }])
    expect(() => [...readFields(Uint8Array.of(0xea, 0x80, 0x80, 0x80, 0x10, 0))]).toThrow('more than 32 bits')
  })

  it('refuses what is torn, without reading past the end', () => {
    expect(() => [...readFields(Uint8Array.of(0x12, 0x7f, 0x61))]).toThrow('ends in the middle of a field')
    expect(() => [...readFields(Uint8Array.of(0x12, 0x02, 0x61))]).toThrow('ends in the middle of a field')
    expect(() => [...readFields(Uint8Array.of(0x08, 0x96))]).toThrow('ends in the middle of a field')
    expect(() => [...readFields(Uint8Array.of(0x0b))]).toThrow('unknown wire type 3')
    expect(() => [...readFields(new Uint8Array(12).fill(0xff))]).toThrow('more than ten bytes')
  })
})

describe('readOnnx', () => {
  it('tells what a file says of itself', () => {
    expect(readOnnx(file)).toEqual({
      producer: 'shapecast',
      opsets: { '': 17 },
      inputs: [{ name: 'x', elementType: 1, shape: [null, 4, 2] }],
      outputs: [
        { name: 'quantiles', elementType: 1, shape: [null, 40] },
        { name: 'up_logit', elementType: 1, shape: [null, 1] },
      ],
      nodes: 4,
      customDomains: [],
      randomOps: [],
      externalData: false,
      trees: [],
      zipMaps: new Map(),
    })
  })

  it('notices weights that lie in another file, also deep in a branch', () => {
    const outside = new ProtobufWriter().string(8, 'w').int(14, 1)
    const within = (field: number, message: ProtobufWriter) => new ProtobufWriter().message(field, message)
    const externalData = (body: ProtobufWriter) => readOnnx(within(7, body).finish()).externalData
    const inAttribute = (field: number, value: ProtobufWriter) => within(1, within(5, within(field, value)))
    expect(externalData(within(5, outside))).toBe(true)
    expect(externalData(within(5, within(13, new ProtobufWriter().string(1, 'location'))))).toBe(true)
    expect(externalData(within(5, new ProtobufWriter().string(8, 'w').int(14, 0)))).toBe(false)
    for (const branch of [6, 11]) expect(externalData(inAttribute(branch, within(5, outside)))).toBe(true)
    for (const tensor of [5, 10]) expect(externalData(inAttribute(tensor, outside))).toBe(true)
    // The runtime reads the values of a sparse tensor, and their places, out of any file that they name.
    for (const part of [1, 2]) {
      expect(externalData(within(15, within(part, outside)))).toBe(true)
      for (const sparse of [22, 23]) expect(externalData(inAttribute(sparse, within(part, outside)))).toBe(true)
    }
    expect(externalData(within(15, new ProtobufWriter().message(1, new ProtobufWriter().string(8, 'w'))))).toBe(false)
    // In a function: its nodes, and what its attributes are where a node does not say.
    const withFunction = (body: ProtobufWriter) =>
      readOnnx(new ProtobufWriter().message(7, new ProtobufWriter()).message(25, body).finish())
    expect(withFunction(within(7, within(5, within(5, outside))))).toMatchObject({ externalData: true, nodes: 1 })
    expect(withFunction(within(11, within(5, outside)))).toMatchObject({ externalData: true, nodes: 0 })
  })

  it('names each domain of operators once that is not the standard one', () => {
    const body = new ProtobufWriter()
    for (const domain of ['', 'com.microsoft', 'ai.onnx', 'own', 'com.microsoft'])
      body.message(1, new ProtobufWriter().string(4, 'Add').string(7, domain))
    const info = readOnnx(new ProtobufWriter().message(7, body).finish())
    expect([info.customDomains, info.nodes]).toEqual([['com.microsoft', 'own'], 5])
  })

  it('follows graphs eight deep into each other, and no deeper', () => {
    const nested = (depth: number): ProtobufWriter =>
      depth === 0
        ? new ProtobufWriter()
        : new ProtobufWriter().message(
            1,
            new ProtobufWriter().message(5, new ProtobufWriter().message(6, nested(depth - 1))),
          )
    const read = (depth: number) => readOnnx(new ProtobufWriter().message(7, nested(depth)).finish())
    expect(read(8).nodes).toBe(8)
    expect(() => read(9)).toThrow('more than 8 deep')
  })

  it('tells of its producer in 80 letters at most, none of them invisible', () => {
    const by = (producer: string) =>
      readOnnx(new ProtobufWriter().string(2, producer).message(7, new ProtobufWriter()).finish()).producer
    expect(by(' py\0tor\u202ech \n')).toBe('pytorch')
    expect(by('a'.repeat(100_000))).toBe('a'.repeat(80))
  })

  it('takes no file that the runtime would read as its own format', () => {
    const bytes = file.slice()
    const mark = [...'ORTM'].map((letter) => letter.charCodeAt(0))
    bytes.set(mark, 4)
    expect(() => readOnnx(bytes)).toThrow('a file of the runtime')
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

  const survives = (bytes: Uint8Array): void => {
    try {
      readOnnx(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }

  it('ends with an account or a RangeError, whatever stands where a graph, a node or a shape should', () => {
    const places = [
      [],
      [8],
      ...[[], [5], [15], [15, 1]].map((place) => [7, ...place]),
      ...[[], [2], [2, 1], [2, 1, 2], [2, 1, 2, 1]].map((place) => [7, 11, ...place]),
      ...[[], [5], [5, 5], [5, 22], [5, 6]].map((place) => [7, 1, ...place]),
      ...[[], [7], [11], [11, 23]].map((place) => [25, ...place]),
    ]
    for (const place of places)
      for (let number = 1; number <= 25; number++)
        for (const wrong of [
          new ProtobufWriter().int(number, 2n ** 64n - 1n),
          new ProtobufWriter().float(number, 1),
          new ProtobufWriter().string(number, 'no message'),
          new ProtobufWriter().string(number, ''),
        ])
          survives(place.reduceRight((inner, field) => new ProtobufWriter().message(field, inner), wrong).finish())
  })

  it('ends with an account or a RangeError, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), survives))
    fc.assert(fc.property(anyMessage, (message) => survives(message.finish())))
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
