import { inflateRawSync } from 'node:zlib'

/** The files of a zip, by its central directory (PKWARE APPNOTE 4.3.12). */
export function unzip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(zip.length - 22 + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [method, size, nameLength] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const body = zip.subarray(start, start + size)
    files.set(name, method === 8 ? inflateRawSync(body) : Buffer.from(body))
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}
