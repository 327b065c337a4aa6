import { ProtobufWriter } from '../graph/protobuf-writer.ts'
import type { OnnxInfo } from './onnx-reader.ts'
import { type Field, readFields } from './protobuf-reader.ts'

const text = new TextDecoder()
const FLOAT32 = 1

/** Graphs and models have no fields of a fixed size. */
const copy = (to: ProtobufWriter, { number, int, bytes }: Field): ProtobufWriter =>
  bytes === undefined ? to.int(number, int!) : to.bytes(number, bytes)

const has = (message: Uint8Array, number: number, value: string): boolean => {
  for (const field of readFields(message))
    if (field.number === number && field.bytes && text.decode(field.bytes) === value) return true
  return false
}

/** A float tensor whose shape is not told, as a ValueInfoProto. */
const tensorNamed = (name: string): ProtobufWriter =>
  new ProtobufWriter().string(1, name).message(2, new ProtobufWriter().message(1, new ProtobufWriter().int(1, FLOAT32)))

/**
 * The file with each ZipMap of its graph taken out, and the tensor of probabilities that it read as an output in place of
 * its map. Exporters of classifiers add one by default; ONNX Runtime for JavaScript reads tensors alone.
 */
export function withoutZipMaps(onnx: Uint8Array, { zipMaps }: Pick<OnnxInfo, 'zipMaps'>): Uint8Array {
  if (zipMaps.size === 0) return onnx
  const model = new ProtobufWriter()
  for (const field of readFields(onnx)) {
    if (field.number !== 7 || !field.bytes) {
      copy(model, field)
      continue
    }
    const graph = new ProtobufWriter()
    for (const part of readFields(field.bytes)) {
      if (part.number === 1 && part.bytes && has(part.bytes, 4, 'ZipMap')) continue
      const zipped = part.number === 12 && [...zipMaps].find(([output]) => has(part.bytes!, 1, output))
      if (zipped) graph.message(12, tensorNamed(zipped[1]))
      else copy(graph, part)
    }
    model.message(7, graph)
  }
  return model.finish().slice()
}
