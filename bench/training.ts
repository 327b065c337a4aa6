/**
 * Seconds an epoch of both networks over 4,500 windows of 30 steps and 16 features (batch 64, no dropout: the job that
 * PyTorch was given too), alternating with a reference trainer of the same job where one is there; then the time of
 * 5,000 predictions of both networks in the recipe's shape.
 *
 *   [SPIKE_DIR=folder with gen.mjs and train.mjs] node bench/training.ts [rounds]
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createRandom } from '@shapecast/engine/random'
import { buildNetwork } from '@shapecast/ml/networks/build-network'
import { exportNetwork } from '@shapecast/ml/networks/export-network'
import { startingValues } from '@shapecast/ml/networks/parameters'
import type { NetworkKind, NetworkShape } from '@shapecast/ml/networks/shape'
import { networkParameters } from '@shapecast/ml/networks/training-graph'
import { openNetwork, runNetwork } from '@shapecast/ml/runtime/run-network'
import { fixedJob, runJob } from '@shapecast/ml/training/testing/fixed-job'
import { median } from './lib/rounds.ts'

const EPOCHS = 4
const PREDICTIONS = 5000
const rounds = Number(process.argv[2] ?? 5)
const now = () => performance.now()

/** A copy of the reference with its data generated, or nothing where it is not there. */
function referenceFolder(): string | undefined {
  const source = resolve(process.env.SPIKE_DIR ?? join(import.meta.dirname, '../../shared/spikes/ort-training'))
  if (!existsSync(join(source, 'train.mjs'))) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'shapecast-reference-'))
  for (const file of ['gen.mjs', 'train.mjs', 'onnx.mjs', 'common.mjs']) cpSync(join(source, file), join(folder, file))
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  spawnSync(process.execPath, ['gen.mjs'], { cwd: folder })
  return folder
}

/** Warm epochs of the reference in seconds. */
function referenceEpochs(folder: string, kind: NetworkKind): number[] {
  const args = ['train.mjs', kind === 'lstm' ? 'A' : 'B', String(EPOCHS)]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 })
  return (JSON.parse(stdout) as { epochs: number[] }).epochs.slice(1)
}

async function timeTraining(): Promise<void> {
  const data = fixedJob()
  const folder = referenceFolder()
  try {
    for (const kind of ['lstm', 'transformer'] as const) {
      const ours: number[] = []
      const theirs: number[] = []
      const ratios: number[] = []
      for (let round = 0; round < rounds; round++) {
        const epochs = (await runJob(kind, data, { epochs: EPOCHS, now })).seconds.slice(1)
        ours.push(...epochs)
        if (!folder) continue
        const reference = referenceEpochs(folder, kind)
        theirs.push(...reference)
        ratios.push(median(epochs) / median(reference))
      }
      const said = (x: number[]) => `${median(x).toFixed(3)} s an epoch, fastest ${Math.min(...x).toFixed(3)}`
      console.log(`${kind}: ${said(ours)}`)
      if (folder) {
        const fastest = Math.min(...ours) / Math.min(...theirs)
        console.log(`  reference ${said(theirs)}`)
        console.log(`  ours / reference: ${median(ratios).toFixed(2)} by rounds, ${fastest.toFixed(2)} by the fastest`)
      }
    }
  } finally {
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}

async function timePredictions(): Promise<void> {
  const quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
  const size = { features: 27, lookback: 30, hidden: 48, width: 32, heads: 2, layers: 2, horizons: 8, quantiles }
  const random = createRandom(1)
  const features = Float32Array.from({ length: (PREDICTIONS + 29) * 27 }, () => random.normal())
  const networks = await Promise.all(
    (['lstm', 'transformer'] as const).map((kind) => {
      const shape: NetworkShape = { kind, ...size }
      return openNetwork(exportNetwork(shape, startingValues(networkParameters(buildNetwork(shape)), random)))
    }),
  )
  const seconds: number[][] = [[], []]
  const cpu = process.cpuUsage()
  for (let round = 0; round < rounds * 3; round++) {
    for (const [k, network] of networks.entries()) {
      const start = now()
      await runNetwork(network, features, 27, 30, { from: 29, to: PREDICTIONS + 29 })
      seconds[k]!.push((now() - start) / 1000)
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  await Promise.all(networks.map((network) => network.close()))
  const [lstm, transformer] = seconds.map(median)
  const both = `${(lstm! + transformer!).toFixed(3)} s`
  console.log(
    `${PREDICTIONS} predictions of both: ${both} (LSTM ${lstm!.toFixed(3)}, Transformer ${transformer!.toFixed(3)})`,
  )
  console.log(
    `  processor time, which a busy machine does not stretch: ${((user + system) / 1e6 / (rounds * 3)).toFixed(3)} s`,
  )
}

await timeTraining()
await timePredictions()
