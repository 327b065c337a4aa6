import { gruFile, GRU_CARD as PLAIN_CARD } from '@shapecast/ml/foreign/testing/pytorch-gru'
import type { FastifyInstance } from 'fastify'
import type { Answer, Person } from './service-bench.ts'

export const GRU_CARD = { ...PLAIN_CARD, author: 'Ada' }

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
