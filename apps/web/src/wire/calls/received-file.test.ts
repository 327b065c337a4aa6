import { createClient, fileNameOf } from '@shapecast/contracts/client'
import { exportDataset } from '@shapecast/contracts/datasets'
import { describe, expect, it } from 'vitest'

describe('a file that a service sends', () => {
  it('has the name of its content-disposition header', () => {
    expect(fileNameOf('attachment; filename="dataset-BTCUSDT-1h-320.zip"')).toBe('dataset-BTCUSDT-1h-320.zip')
    expect(fileNameOf('attachment; filename=card.json')).toBe('card.json')
  })
  it('has no name where the header has none, and never a folder', () => {
    expect(fileNameOf(null)).toBeNull()
    expect(fileNameOf('attachment')).toBeNull()
    expect(fileNameOf('attachment; filename="../../etc/passwd"')).toBe('passwd')
  })
  it('comes as it is, asked for with the token', async () => {
    const asked: [string, string | null][] = []
    const { file } = createClient({
      origin: 'http://local',
      token: () => 'mine',
      fetch: async (address, init) => {
        asked.push([String(address), new Headers(init?.headers).get('authorization')])
        return new Response('zip', { headers: { 'content-disposition': 'attachment; filename="a.zip"' } })
      },
    })
    const { name, content } = await file(exportDataset, { query: { symbol: 'BTCUSDT', timeframe: '1h', limit: 320 } })
    expect([name, await content.text()]).toEqual(['a.zip', 'zip'])
    expect(asked).toEqual([
      ['http://local/bot/api/ml/dataset/export?symbol=BTCUSDT&timeframe=1h&limit=320', 'Bearer mine'],
    ])
  })
})
