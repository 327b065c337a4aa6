const text = new TextEncoder()

/**
 * Writes the protocol buffer wire format (protobuf.dev/programming-guides/encoding): as much of it as ONNX needs.
 * Field numbers come from the caller; integers are non-negative or 64-bit two's complement.
 */
export class ProtobufWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  /** A varint field. */
  int(field: number, value: number | bigint): this {
    this.#varint(field << 3)
    this.#varint(value)
    return this
  }

  /** A 32-bit floating point field. */
  float(field: number, value: number): this {
    this.#varint((field << 3) | 5)
    return this.#append(new Uint8Array(new Float32Array([value]).buffer))
  }

  /** A length-delimited field: bytes, or a message. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint((field << 3) | 2)
    this.#varint(value.length)
    return this.#append(value)
  }

  /** A string field, in UTF-8. */
  string(field: number, value: string): this {
    return this.bytes(field, text.encode(value))
  }

  /** A nested message. */
  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish())
  }

  /** The bytes so far, as a view that the next write may overwrite. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #varint(value: number | bigint): void {
    let rest = BigInt.asUintN(64, BigInt(value))
    this.#reserve(10)
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128
      rest >>= 7n
    }
    this.#bytes[this.#length++] = Number(rest)
  }

  #append(value: Uint8Array): this {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
    return this
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more))
    larger.set(this.finish())
    this.#bytes = larger
  }
}
