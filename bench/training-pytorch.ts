/**
 * Seconds an epoch of ours against PyTorch's on the CPU, by the clock and in processor time: the same two networks, losses,
 * starting weights, data and batches (4,500 windows of 30 steps and 16 features, batches of 64, Adam), one thread each, in
 * turns of one epoch in one run. The mean losses of the epochs show that both do the same work.
 *
 *   [PYTHON=python3] node bench/training-pytorch.ts [rounds]
 *
 * The PyTorch side (lib/torch_training.py) is what its documentation recommends for such networks on a CPU: nn.LSTM, one
 * product for queries, keys and values, scaled_dot_product_attention, nn.LayerNorm, the fused Adam, denormals flushed, all
 * data in memory. torch.compile is not used: it needs a C++ compiler on the machine that trains, and where that was there the
 * LSTM took as long and the Transformer 30 % longer. Nor is nn.TransformerEncoder, which took a tenth longer.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { networkParameters } from '@shapecast/ml/networks/training-graph'
import {
  fixedJob,
  JOB,
  JOB_SIZES,
  type JobData,
  jobNetwork,
  jobWeights,
  openJob,
} from '@shapecast/ml/train/testing/fixed-job'
import { taken } from './lib/cpu-time.ts'
import { median } from './lib/rounds.ts'

/** Those that the PyTorch side has. */
const KINDS = ['lstm', 'transformer'] as const
/** Epochs of each before the first that counts: caches, allocators and branch predictors settle. */
const WARM_UPS = 2
const rounds = Number(process.argv[2] ?? 15)

interface Epoch {
  /** Seconds by the clock. */
  wall: number
  /** Seconds of processor time of the whole process. */
  processor: number
  loss: number
}

/** Lays the job where the PyTorch side reads it. */
function writeJob(folder: string, data: JobData): void {
  const weights = Object.fromEntries(
    KINDS.map((kind) => [kind, networkParameters(jobNetwork(kind)).map(({ name, shape }) => [name, shape])]),
  )
  writeFileSync(join(folder, 'job.json'), JSON.stringify({ ...JOB, sizes: JOB_SIZES, weights }))
  const arrays = { x: data.x, y: data.y, oneHot: data.oneHot }
  const starts = Object.fromEntries(KINDS.map((kind) => [kind, jobWeights(kind, data)]))
  for (const [name, array] of Object.entries({ ...arrays, ...starts })) {
    writeFileSync(join(folder, `${name}.f32`), new Uint8Array(array.buffer, array.byteOffset, array.byteLength))
  }
}

/** Starts the PyTorch side; nothing where Python or PyTorch is missing, which is said. */
async function startTorch(folder: string) {
  const python = process.env.PYTHON ?? 'python3'
  const child = spawn(python, [join(import.meta.dirname, 'lib/torch_training.py'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const missing = (why: string) => {
    console.log(
      `No PyTorch to compare with: ${why}. PYTHON names the interpreter of an environment that has torch and numpy.`,
    )
  }
  try {
    await once(child, 'spawn')
  } catch (error) {
    return missing((error as Error).message)
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => JSON.parse((await lines.next()).value ?? '{"missing":"it ended without a word"}')
  const hello = await answer()
  if (hello.missing) return missing(`${python}: ${hello.missing}`)
  console.log(`PyTorch ${hello.torch}, one thread, denormals ${hello.flushesDenormals ? 'flushed' : 'kept'}`)
  return {
    async epoch(kind: (typeof KINDS)[number]): Promise<Epoch> {
      child.stdin.write(`${kind}\n`)
      return await answer()
    },
    async stop() {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

async function ourEpoch(job: { epoch(): Promise<number> }): Promise<Epoch> {
  const { result, wall, cpu } = await taken(() => job.epoch())
  return { wall: wall / 1000, processor: cpu / 1000, loss: result }
}

function report(kind: (typeof KINDS)[number], ours: readonly Epoch[], theirs: readonly Epoch[]): void {
  console.log(`${kind}, ${ours.length} rounds:`)
  for (const clock of ['wall', 'processor'] as const) {
    const [a, b] = [ours.map((e) => e[clock]), theirs.map((e) => e[clock])]
    const ratios = a.map((value, k) => value / b[k]!).sort((x, y) => x - y)
    const [low, high] = [ratios[Math.floor(ratios.length / 4)]!, ratios[Math.floor((3 * ratios.length) / 4)]!]
    console.log(
      `  ${clock.padEnd(9)} ours ${median(a).toFixed(3)} s, PyTorch ${median(b).toFixed(3)} s an epoch; ratio ` +
        `${median(ratios).toFixed(2)} by rounds (half within ${low.toFixed(2)} … ${high.toFixed(2)}), ` +
        `${(Math.min(...a) / Math.min(...b)).toFixed(2)} by the fastest`,
    )
  }
  const losses = (side: readonly Epoch[]) => [side[0]!, side.at(-1)!].map((e) => e.loss.toFixed(5)).join(' … ')
  console.log(`  mean losses ours ${losses(ours)}, PyTorch ${losses(theirs)}`)
}

const folder = mkdtempSync(join(tmpdir(), 'shapecast-torch-'))
try {
  const data = fixedJob()
  writeJob(folder, data)
  const torch = await startTorch(folder)
  if (torch) {
    for (const kind of KINDS) {
      const job = await openJob(kind, data)
      const ours: Epoch[] = []
      const theirs: Epoch[] = []
      for (let round = -WARM_UPS; round < rounds; round++) {
        const pair = [await ourEpoch(job), await torch.epoch(kind)] as const
        if (round < 0) continue
        ours.push(pair[0])
        theirs.push(pair[1])
      }
      await job.close()
      report(kind, ours, theirs)
    }
    await torch.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
