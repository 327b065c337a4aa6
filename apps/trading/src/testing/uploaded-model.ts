import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Answer, Person } from './service-bench.ts'

/** A network that PyTorch made, kept with the tests: what it is given is `GRU_CARD`. */
export const gruFile = (): Uint8Array =>
  new Uint8Array(readFileSync(new URL('../../../../packages/ml/src/foreign/testing/pytorch-gru.onnx', import.meta.url)))

export const GRU_CARD = {
  format: 'shapecast-foreign-model',
  formatVersion: 1,
  name: 'A GRU from PyTorch',
  author: 'Ada',
  timeframe: '1h',
  lookback: 16,
  inputs: [
    { name: 'return_1' },
    { name: 'range', mean: 1.5, sd: 1 },
    { name: 'log_sigma', mean: -5, sd: 0.5 },
    { name: 'volume_z' },
  ],
  clip: 5,
} as const

/** Sends an upload as a browser does; a part that is null is left out. */
export async function sendUpload(
  app: FastifyInstance,
  to: { version: string; symbol?: string },
  { onnx = gruFile(), card = GRU_CARD }: { onnx?: Uint8Array | null; card?: unknown },
  as: Person | null,
): Promise<Answer> {
  const form = new FormData()
  if (card !== null) {
    const text = typeof card === 'string' ? card : JSON.stringify(card)
    form.append('card', new Blob([text], { type: 'application/json' }), 'card.json')
  }
  if (onnx !== null) form.append('onnx', new Blob([new Uint8Array(onnx)]), 'model.onnx')
  const reply = await app.inject({
    method: 'POST',
    url: `/api/ml/models/${to.version}/upload?symbol=${to.symbol ?? 'BTCUSDT'}`,
    headers: as === null ? {} : { authorization: `Bearer ${as.token}` },
    payload: form,
  })
  const json = reply.json()
  return { status: reply.statusCode, body: 'data' in json ? json.data : json, headers: reply.headers }
}
