import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '@shapecast/engine/random'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportNetwork } from '../networks/export-network.ts'
import { buildNetwork } from '../networks/families.ts'
import { parameterCount } from '../networks/parameters.ts'
import type { NetworkShape } from '../networks/shape.ts'
import { networkParameters } from '../networks/training-graph.ts'
import { openSandbox } from './sandbox.ts'

const PYTHON = process.env.SHAPECAST_PYTHON ?? 'python3'
const RUN = fileURLToPath(new URL('./testing/run-exported.py', import.meta.url))
const has = (modules: string): boolean => spawnSync(PYTHON, ['-c', `import ${modules}`]).status === 0

type Outputs = { quantiles: number[]; up_logit: number[] }
const size = { features: 27, lookback: 30, hidden: 48, width: 32, heads: 2, layers: 2, horizons: 8 }
const random = createRandom(3)
const windows = Float32Array.from({ length: 5 * 30 * 27 }, () => random.normal())

/** A network of ours with weights by lot, as its inference file. */
function exported(kind: NetworkShape['kind']): Uint8Array {
  const shape: NetworkShape = { kind, ...size, quantiles: [0.05, 0.25, 0.5, 0.75, 0.95] }
  const count = parameterCount(networkParameters(buildNetwork(shape)))
  return exportNetwork(
    shape,
    Float32Array.from({ length: count }, () => random.normal() * 0.2),
  )
}

// Set SHAPECAST_PYTHON to a Python that has onnxruntime, or onnx and torch.
describe.each(['lstm', 'transformer'] as const)('our %s in Python', (kind) => {
  const onnx = exported(kind)
  let ours: { quantiles: Float32Array; upLogit: Float32Array }
  let theirs: Record<'onnxruntime' | 'torch', Outputs | null>
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-'))
  beforeAll(async () => {
    const sandbox = await openSandbox(onnx)
    ours = await sandbox.run(windows, [5, 30, 27])
    sandbox.close()
    const path = join(folder, 'network.onnx')
    writeFileSync(path, onnx)
    const input = JSON.stringify({ onnx: path, windows: Array.from(windows), shape: [5, 30, 27] })
    const { stdout } = spawnSync(PYTHON, [RUN], { input, encoding: 'utf8' })
    theirs = stdout ? JSON.parse(stdout) : { onnxruntime: null, torch: null }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const expectSame = (made: Outputs): void => {
    expect(made.quantiles).toHaveLength(200)
    made.quantiles.forEach((q, k) => {
      expect(q).toBeCloseTo(ours.quantiles[k]!, 4)
    })
    made.up_logit.forEach((logit, k) => {
      expect(logit).toBeCloseTo(ours.upLogit[k]!, 4)
    })
  }

  it.skipIf(!has('onnxruntime, numpy'))('gives the same numbers in onnxruntime', () => expectSame(theirs.onnxruntime!))

  it.skipIf(kind !== 'lstm' || !has('torch, onnx, numpy'))('gives the same numbers as nn.LSTM with its weights', () =>
    expectSame(theirs.torch!),
  )
})
