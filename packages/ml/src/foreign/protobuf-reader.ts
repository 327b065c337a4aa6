/** One field of a message: its number, and its value by wire type. */
export interface Field {
  number: number
  /** Varints. */
  int?: bigint
  /** Length-delimited: text, bytes, messages, packed numbers. */
  bytes?: Uint8Array
}

const torn = (): never => {
  throw new RangeError('The message ends in the middle of a field.')
}

/**
 * The fields of a protocol buffer message in their order (protobuf.dev/programming-guides/encoding). Nested messages are
 * read by reading their bytes. Throws a RangeError where it is torn or of a wire type that no longer exists.
 */
export function* readFields(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= message.length) return torn()
      const byte = view.getUint8(at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new RangeError('A number takes more than ten bytes.')
  }
  const take = (length: number): Uint8Array => {
    if (length > message.length - at) return torn()
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const key = Number(varint())
    // Readers that keep 32 bits of it would see another field than this one.
    if (key >= 2 ** 32) throw new RangeError('The number of a field takes more than 32 bits.')
    const number = Math.floor(key / 8)
    if (number === 0) throw new RangeError('A field has the number 0.')
    switch (key % 8) {
      case 0:
        yield { number, int: varint() }
        break
      case 1:
        yield { number, bytes: take(8) }
        break
      case 2:
        yield { number, bytes: take(Number(varint())) }
        break
      case 5:
        yield { number, bytes: take(4) }
        break
      default:
        throw new RangeError(`A field has the unknown wire type ${key % 8}.`)
    }
  }
}
