import { add, linear, relu } from '../../graph/differentiable.ts'
import type { FloatType } from '../../graph/graph.ts'
import { pinballLoss } from '../../graph/losses.ts'
import { sizeOf } from '../../graph/tensor-shape.ts'
import { lstmTrunk } from '../../networks/lstm-trunk.ts'
import type { Objective } from '../../networks/network.ts'
import { matrix, vector } from '../../networks/parameters.ts'
import { type Network, networkParameters } from '../../networks/training-graph.ts'
import { transformerTrunk } from '../../networks/transformer-trunk.ts'
import { type FloatArray, tensorOf } from '../../runtime/onnx-runtime.ts'
import { softmaxCrossEntropy } from '../../testing/class-loss.ts'
import { freshState, openStepper } from '../stepper.ts'

/**
 * A job made of random numbers that PyTorch was given too: 4,500 windows of 30 steps and 16 features, the window's
 * target as three quantiles and three classes, batches of 64 in order, Adam at 1e-3 with ε = 1e-7, no dropout.
 */
export const JOB = {
  windows: 4500,
  lookback: 30,
  features: 16,
  batch: 64,
  batches: 70,
  learningRate: 1e-3,
  epsilon: 1e-7,
}
const { windows, lookback, features } = JOB
const WIDTH = { lstm: 48, transformer: 32, neck: 16, outputs: 3 }
const ENCODER = { heads: 2, layers: 2 }

/** The sizes of both networks, for another engine to build them with. */
export const JOB_SIZES = {
  features,
  lookback,
  hidden: WIDTH.lstm,
  width: WIDTH.transformer,
  neck: WIDTH.neck,
  ...ENCODER,
}

export interface JobData {
  x: Float32Array
  y: Float32Array
  oneHot: Float32Array
  /** Starting weights as the generator draws them. */
  start: { lstm: Record<string, Float32Array>; transformer: Record<string, Float32Array> }
}

/** Draws the job; the same numbers every time. */
export function fixedJob(): JobData {
  let state = 12_345
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  const normal = () => {
    let total = 0
    for (let i = 0; i < 6; i++) total += uniform()
    return (total - 3) * Math.SQRT2
  }
  const x = Float32Array.from({ length: windows * lookback * features }, normal)
  const y = new Float32Array(windows)
  const oneHot = new Float32Array(windows * 3)
  for (let i = 0; i < windows; i++) {
    const last = (i * lookback + lookback - 1) * features
    let sum = 0
    for (let f = 0; f < features; f++) sum += x[last + f]! * (f % 2 ? -0.3 : 0.3) + x[last - 2 * features + f]! * 0.1
    y[i] = Math.tanh(sum) + 0.3 * normal()
    oneHot[i * 3 + (y[i]! > 0.4 ? 2 : y[i]! < -0.4 ? 0 : 1)] = 1
  }

  const glorot = (rows: number, columns: number) => {
    const limit = Math.sqrt(6 / (rows + columns))
    return Float32Array.from({ length: rows * columns }, () => (2 * uniform() - 1) * limit)
  }
  const drawn = (sizes: Record<string, [number, number]>) =>
    Object.fromEntries(Object.entries(sizes).map(([name, [rows, columns]]) => [name, glorot(rows, columns)]))
  const head: Record<string, [number, number]> = {
    neck: [0, WIDTH.neck],
    quantiles: [WIDTH.neck, 3],
    classes: [WIDTH.neck, 3],
  }
  const { lstm: hidden, transformer: width } = WIDTH
  const lstm = drawn({
    input: [features, 4 * hidden],
    recurrent: [hidden, 4 * hidden],
    ...head,
    neck: [hidden, WIDTH.neck],
  })
  const embed = glorot(features, width)
  const positions = Float32Array.from({ length: lookback * width }, () => 0.1 * normal())
  const layer = (k: number): Record<string, [number, number]> => ({
    [`q${k}`]: [width, width],
    [`k${k}`]: [width, width],
    [`v${k}`]: [width, width],
    [`out${k}`]: [width, width],
    [`grow${k}`]: [width, 2 * width],
    [`shrink${k}`]: [2 * width, width],
  })
  const transformer = { embed, positions, ...drawn({ ...layer(0), ...layer(1), ...head, neck: [width, WIDTH.neck] }) }
  return { x, y, oneHot, start: { lstm, transformer } }
}

/** The network of the job, made of the same pieces as a recipe's. */
export function jobNetwork(kind: 'lstm' | 'transformer'): Network {
  const size = { features, lookback, hidden: WIDTH.lstm, width: WIDTH.transformer, ...ENCODER }
  const trunk = kind === 'lstm' ? lstmTrunk(size) : transformerTrunk(size)
  return { trunk, objective: quantilesAndClasses(trunk.width), lookback, features }
}

function quantilesAndClasses(trunkWidth: number): Objective {
  const { neck, outputs } = WIDTH
  return {
    parameters: [
      matrix('neck.matrix', trunkWidth, neck),
      vector('neck.bias', neck),
      matrix('quantiles.matrix', neck, outputs),
      vector('quantiles.bias', outputs),
      matrix('classes.matrix', neck, outputs),
      vector('classes.bias', outputs),
    ],
    masks: [],
    targets: { y: 1, oneHot: 3 },
    outputs(tape, w, hidden) {
      const neck = relu(tape, linear(tape, hidden, w['neck.matrix']!, w['neck.bias']!))
      const head = (name: string) => linear(tape, neck, w[`${name}.matrix`]!, w[`${name}.bias`]!)
      return { quantiles: head('quantiles'), classes: head('classes') }
    },
    loss(tape, outputs, targets) {
      const pinball = pinballLoss(tape, outputs.quantiles!, targets.y!, [0.1, 0.5, 0.9])
      return add(tape, pinball, softmaxCrossEntropy(tape, outputs.classes!, targets.oneHot!))
    },
  }
}

/** The drawn weights in the layout of our network: gates in ONNX order, queries, keys and values side by side. */
export function jobWeights(kind: 'lstm' | 'transformer', { start }: JobData): Float32Array {
  const drawn = start[kind]
  const joined = networkParameters(jobNetwork(kind)).flatMap(({ name, shape }) => {
    const [part, role] = [name.split('.').slice(0, -1).join('.'), name.split('.').at(-1)!]
    if (role === 'gain') return new Array<number>(sizeOf(shape)).fill(1)
    if (role === 'bias') return new Array<number>(sizeOf(shape)).fill(0)
    if (name === 'positions') return [...drawn.positions!]
    // The generator's gates are input, forget, cell, output.
    if (part === 'lstm') return reorderColumns(drawn[role]!, WIDTH.lstm, [0, 3, 1, 2])
    const [layer, place] = part.startsWith('layer') ? [part[5], part.slice(7)] : ['', part]
    if (place === 'qkv')
      return concatenated([drawn[`q${layer}`]!, drawn[`k${layer}`]!, drawn[`v${layer}`]!], WIDTH.transformer)
    return [...drawn[`${place}${layer}`]!]
  })
  return Float32Array.from(joined)
}

function reorderColumns(values: Float32Array, width: number, blocks: readonly number[]): number[] {
  const columns = blocks.length * width
  return Array.from(values, (_, i) => {
    const column = i % columns
    return values[i - column + blocks[Math.floor(column / width)]! * width + (column % width)]!
  })
}

function concatenated(matrices: readonly Float32Array[], width: number): number[] {
  return Array.from({ length: width }, (_, row) =>
    matrices.flatMap((m) => [...m.subarray(row * width, (row + 1) * width)]),
  ).flat()
}

export interface OpenJob {
  /** Trains over the first `batches` batches, all of them unless said, and returns their mean loss. */
  epoch(batches?: number): Promise<number>
  close(): Promise<void>
}

/** The job before its first epoch, in float32 or float64. `close` it when done. */
export async function openJob(
  kind: 'lstm' | 'transformer',
  data: JobData,
  type: FloatType = 'float32',
): Promise<OpenJob> {
  const { batch, learningRate, epsilon } = JOB
  const as = (values: Float32Array): FloatArray => (type === 'float32' ? values : Float64Array.from(values))
  const settings = { batch, dropout: false, learningRate, weightDecay: 0, epsilon }
  const stepper = await openStepper<FloatArray>(jobNetwork(kind), settings, freshState(as(jobWeights(kind, data))))
  const [x, y, oneHot] = [as(data.x), as(data.y), as(data.oneHot)]
  const part = (values: FloatArray, shape: readonly number[], k: number) => {
    const size = sizeOf(shape)
    return tensorOf(values.subarray(k * size, (k + 1) * size), shape)
  }
  return {
    async epoch(batches = JOB.batches) {
      let total = 0
      for (let k = 0; k < batches; k++) {
        total += await stepper.step({
          x: part(x, [batch, lookback, features], k),
          y: part(y, [batch, 1], k),
          oneHot: part(oneHot, [batch, 3], k),
        })
      }
      return total / batches
    },
    close: () => stepper.close(),
  }
}
