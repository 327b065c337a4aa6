import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BacktestRequest } from '@shapecast/contracts/backtest-request'
import { ForeignModelCard } from '@shapecast/contracts/foreign-card'
import { unpackArtifact } from '@shapecast/ml/artifact/artifact'
import { featureNames } from '@shapecast/ml/features/feature-columns'
import { buildFeatureTable } from '@shapecast/ml/features/feature-table'
import { standardise } from '@shapecast/ml/features/standardise'
import { gruFile } from '@shapecast/ml/foreign/testing/pytorch-gru'
import { openNetwork, runNetwork } from '@shapecast/ml/runtime/run-network'
import { generateCandles } from '@shapecast/ml/testing/generated-candles'
import { afterAll, describe, expect, it } from 'vitest'
import { backtestBot } from '../src/backtests/backtest-bot.ts'
import { orderOf } from '../src/backtests/backtest-order.ts'
import { predictionRoutes } from '../src/forecasts/routes.ts'
import { datasetRoutes } from '../src/market/datasets/routes.ts'
import { uploadRoutes } from '../src/models/uploads/routes.ts'
import { memoryVenue } from './support/memory-venue.ts'
import { createPartsBench } from './support/parts-bench.ts'
import { call } from './support/service-bench.ts'
import { addQuickModel } from './support/small-model.ts'
import { unzip } from './support/unzip.ts'
import { GRU_CARD, sendUpload } from './support/uploaded-model.ts'

const PYTHON = process.env.SHAPECAST_PYTHON ?? process.env.PYTHON ?? 'python3'
const has = (modules: string): boolean => spawnSync(PYTHON, ['-c', `import ${modules}`]).status === 0
const BTC = generateCandles({ candles: 2000, seed: 6, momentum: 0.4 })
const LAST = BTC.length - 1
const folder = mkdtempSync(join(tmpdir(), 'shapecast-'))

const download = (id: string, as = bench.users.other) =>
  app.inject({
    method: 'GET',
    url: `/api/ml/artifacts/${id}/onnx`,
    headers: { authorization: `Bearer ${as.token}` },
  })

const bench = await createPartsBench(memoryVenue({ 'BTCUSDT 1h': BTC }))
const parts = bench.parts
const app = bench.mount((service) => {
  uploadRoutes(service, parts.uploads(), parts.models().modelStore)
  datasetRoutes(service, parts.datasets())
  predictionRoutes(service, parts.forecasts().predictions)
})
const ours = await addQuickModel(bench.db, 'v3', 'BTCUSDT', BTC)
const reply = await download(ours)
expect(reply.headers['content-type']).toBe('application/zip')
expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="onnx-v3-BTCUSDT-1h-[0-9a-f]{12}\.zip"$/)
const files = unzip(reply.rawPayload)
for (const [name, content] of files) writeFileSync(join(folder, name), content)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await parts.models().predictors.close()
  await bench.queue.stop()
  await bench.close()
})

/** What a network says at the last candle, run here. */
async function expected(network: 'lstm' | 'transformer') {
  const { card, files: own } = unpackArtifact((await parts.models().modelStore.stored(ours))!.bytes)
  const opened = await openNetwork(own[card.networks[network]!.file]!)
  const matrix = standardise(buildFeatureTable(BTC, '1h').features, card.features)
  const made = await runNetwork(opened, matrix, card.features.names.length, card.settings.lookback, {
    from: LAST,
    to: LAST + 1,
  })
  await opened.close()
  return { quantiles: made.quantiles, pUp: 1 / (1 + Math.exp(-made.upLogit[0]!)), card }
}

describe('a model of ours, downloaded', () => {
  it('is the networks, their cards, a README and an example', async () => {
    expect([...files.keys()]).toEqual([
      'README.md',
      'card.json',
      'lstm.onnx',
      'lstm.card.json',
      'transformer.onnx',
      'transformer.card.json',
      'run.py',
    ])
    const { card, files: own } = unpackArtifact((await parts.models().modelStore.stored(ours))!.bytes)
    for (const network of ['lstm', 'transformer'] as const) {
      expect(new Uint8Array(files.get(`${network}.onnx`)!)).toEqual(new Uint8Array(own[card.networks[network]!.file]!))
      const told = ForeignModelCard.parse(JSON.parse(files.get(`${network}.card.json`)!.toString()))
      expect(told.inputs).toHaveLength(card.features.names.length)
      expect(told.trained).toEqual({ from: card.ranges.train.from, to: card.ranges.validation.to })
    }
    expect(JSON.parse(files.get('card.json')!.toString())).toEqual(card)
    const readme = files.get('README.md')!.toString()
    expect(readme).toContain(`float32 [batch, ${card.settings.lookback}, 27]`)
    expect(readme).toContain(`c = ${card.calibration.climatology} and w = ${card.calibration.weight}`)
  })

  it.each(['lstm', 'transformer'] as const)('its %s can be uploaded again and says what it said', async (network) => {
    const parts = {
      onnx: new Uint8Array(files.get(`${network}.onnx`)!),
      card: files.get(`${network}.card.json`)!.toString(),
    }
    const { status, body } = await sendUpload(app, { version: `again-${network}` }, parts, bench.users.owner)
    expect([status, body.error]).toEqual([200, undefined])
    expect(body.artifact.upload.holdoutSeen).toBe('no')
    const { pUp } = await expected(network)
    const asked = { symbol: 'BTCUSDT', timeframe: '1h', version: `again-${network}` }
    const made = await call(app, 'POST', '/api/ml/predict', { as: bench.users.owner, body: asked })
    expect(made.body.confidence).toBeCloseTo(Math.max(pUp, 1 - pUp), 5)
  })

  /** The newest 40 candles as Download Dataset writes them. */
  const features = (): string => {
    const path = join(folder, 'features.csv')
    const names = featureNames('1h')
    const table = buildFeatureTable(BTC, '1h')
    const lines = Array.from({ length: 40 }, (_, k) => {
      const i = BTC.length - 40 + k
      return [BTC.ts[i]!, ...table.features.map((column) => (Number.isNaN(column[i]!) ? '' : column[i]!))].join(',')
    })
    writeFileSync(path, [['timestamp', ...names].join(','), ...lines, ''].join('\n'))
    return path
  }
  const inPython = (runWith: string) => {
    const { stdout, stderr } = spawnSync(PYTHON, [join(folder, 'run.py'), features()], {
      encoding: 'utf8',
      env: { ...process.env, RUN_WITH: runWith },
    })
    if (stdout === '') throw new Error(stderr)
    return JSON.parse(stdout) as Record<'lstm' | 'transformer', { quantiles: number[][]; p_up: number } | null>
  }
  const expectSame = async (network: 'lstm' | 'transformer', made: { quantiles: number[][]; p_up: number }) => {
    const { quantiles, pUp } = await expected(network)
    expect(made.p_up).toBeCloseTo(pUp, 4)
    expect(made.quantiles.flat()).toHaveLength(quantiles.length)
    made.quantiles.flat().forEach((q, k) => {
      expect(q).toBeCloseTo(quantiles[k]!, 4)
    })
  }

  // Set SHAPECAST_PYTHON to a Python that has numpy and onnxruntime, or numpy, onnx and torch.
  it.skipIf(!has('onnxruntime, numpy'))('its example gives the same numbers in onnxruntime for Python', async () => {
    const made = inPython('onnxruntime')
    await expectSame('lstm', made.lstm!)
    await expectSame('transformer', made.transformer!)
  })

  it.skipIf(!has('torch, onnx, numpy'))('its example gives the same numbers in PyTorch, of the LSTM', async () => {
    const made = inPython('torch')
    await expectSame('lstm', made.lstm!)
    expect(made.transformer).toBeNull()
  })
})

describe('the LightGBM of docs/models.md', () => {
  // Set SHAPECAST_PYTHON to a Python that has lightgbm, onnxmltools and pandas.
  it.skipIf(!has('lightgbm, onnxmltools, pandas'))(
    'is trained on an export, judged on what that left out, and backtested',
    async () => {
      const docs = readFileSync(new URL('../../../docs/models.md', import.meta.url), 'utf8')
      const [script] = /(?<=```python\n)import json\nimport lightgbm[\s\S]*?(?=```)/.exec(docs)!
      const asked = { url: '/api/ml/dataset/export?symbol=BTCUSDT&timeframe=1h&limit=1600' }
      const headers = { authorization: `Bearer ${bench.users.owner.token}` }
      const content = unzip((await app.inject({ ...asked, headers })).rawPayload)
      const here = mkdtempSync(join(folder, 'lightgbm-'))
      for (const [name, bytes] of content) writeFileSync(join(here, name), bytes)
      const { status, stderr } = spawnSync(PYTHON, ['-c', script], { cwd: here, encoding: 'utf8' })
      expect([status, stderr.split('\n').filter((line) => line.includes('Error'))]).toEqual([0, []])
      const read = (name: string) => new Uint8Array(readFileSync(join(here, name)))
      const card = JSON.parse(new TextDecoder().decode(read('card.json')))
      const { body } = await sendUpload(app, { version: 'lgbm' }, { onnx: read('model.onnx'), card }, bench.users.owner)
      expect(body.artifact).toMatchObject({
        active: true,
        upload: { holdoutSeen: 'no', output: 'classes' },
      })
      expect(body.artifact.evaluation.accuracy.outcomes).toBe(400)
      const order = BacktestRequest.parse({
        mode: 'model',
        mlModelVersion: 'lgbm',
        symbol: 'BTCUSDT',
        positionSize: 1,
        leverage: 1,
        maxDrawdown: 100,
        initialBalance: 100_000,
      })
      const { detail } = await backtestBot(parts.backtest(), orderOf(order, null))
      expect(detail.meta.signals.buy + detail.meta.signals.sell).toBeGreaterThan(0)
      expect(detail.seen.ranges).toMatchObject([{ version: 'lgbm', basis: 'declared', to: BTC.ts[1599] }])
    },
  )
})

describe('an upload, downloaded', () => {
  it('is its file and its card, bit for bit', async () => {
    const card = `${JSON.stringify({ ...GRU_CARD, 'a note': 'kept' }, null, 3)}\n\n`
    const { body } = await sendUpload(app, { version: 'gru' }, { card }, bench.users.owner)
    const back = unzip((await download(body.artifact.id)).rawPayload)
    expect([...back.keys()]).toEqual(['model.onnx', 'card.json'])
    expect(new Uint8Array(back.get('model.onnx')!)).toEqual(gruFile())
    expect(back.get('card.json')!.toString()).toBe(card)
  })
})

it('an ONNX download requires a signed-in user and an existing artifact', async () => {
  expect((await call(app, 'GET', `/api/ml/artifacts/${ours}/onnx`, { as: null })).status).toBe(401)
  const none = '00000000-0000-4000-8000-000000000000'
  expect((await call(app, 'GET', `/api/ml/artifacts/${none}/onnx`, { as: bench.users.owner })).status).toBe(404)
})
