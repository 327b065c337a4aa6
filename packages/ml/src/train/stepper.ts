import { adamSchedule } from '../graph/adam.ts'
import { type Network, trainingStep } from '../networks/training-graph.ts'
import { type FloatArray, openSession, type RuntimeTensor, tensorOf } from '../runtime/onnx-runtime.ts'

/** Where the optimiser stands. */
export interface OptimiserState<A extends FloatArray = Float32Array> {
  weights: A
  /** Adam's running mean of the gradient. */
  first: A
  /** Adam's running mean of the squared gradient. */
  second: A
  /** Steps taken. */
  steps: number
}

export interface StepperSettings {
  batch: number
  dropout: boolean
  learningRate: number
  weightDecay: number
  /** Adam's ε. */
  epsilon: number
}

/** Takes training steps, one `run()` of a compiled graph each. */
export interface Stepper<A extends FloatArray = Float32Array> {
  /** One step on a batch: x, the objective's targets and, with dropout, masks. Returns the loss before the step. */
  step(feeds: Record<string, RuntimeTensor>): Promise<number>
  /** The weights as they stand, for another session to be fed with. */
  weights(): RuntimeTensor
  /** A copy of everything that the next step depends on. */
  state(): OptimiserState<A>
  close(): Promise<void>
}

/** Moments that know nothing yet. */
export function freshState<A extends FloatArray>(weights: A): OptimiserState<A> {
  return { weights, first: zerosLike(weights), second: zerosLike(weights), steps: 0 }
}

/**
 * Compiles the training step of a network and stands it on `from`, whose arrays say how exact the numbers are:
 * float32 to train, float64 to compare with other engines. `close` it when done.
 */
export async function openStepper<A extends FloatArray>(
  network: Network,
  settings: StepperSettings,
  from: OptimiserState<A>,
): Promise<Stepper<A>> {
  const { batch, dropout, learningRate, weightDecay, epsilon } = settings
  const type = from.weights instanceof Float32Array ? 'float32' : 'float64'
  const decay = learningRate * weightDecay
  const session = await openSession(trainingStep(network, { batch, dropout, decay, type }))
  // Two sets that take turns: a step reads one and writes the other, so that no step allocates.
  let current = arrayTensors(copyOf(from.weights), copyOf(from.first), copyOf(from.second))
  let next = arrayTensors(zerosLike(from.weights), zerosLike(from.weights), zerosLike(from.weights))
  let steps = from.steps
  const loss = tensorOf(zerosLike(from.weights, 1), [])
  const schedule = zerosLike(from.weights, 2)
  const scheduleTensor = tensorOf(schedule, [2])

  return {
    async step(feeds) {
      schedule.set(adamSchedule(steps + 1, learningRate, epsilon))
      await session.run(
        { ...current, schedule: scheduleTensor, ...feeds },
        { next_weights: next.weights, next_first: next.first, next_second: next.second, loss },
      )
      steps++
      ;[current, next] = [next, current]
      return Number(loss.data[0])
    },
    weights: () => current.weights,
    state() {
      const copied = (tensor: RuntimeTensor) => copyOf(tensor.data as A)
      const { weights, first, second } = current
      return { weights: copied(weights), first: copied(first), second: copied(second), steps }
    },
    close: () => session.release(),
  }
}

function arrayTensors(weights: FloatArray, first: FloatArray, second: FloatArray) {
  const shape = [weights.length]
  return { weights: tensorOf(weights, shape), first: tensorOf(first, shape), second: tensorOf(second, shape) }
}

function copyOf<A extends FloatArray>(array: A): A {
  return array.slice() as A
}

function zerosLike<A extends FloatArray>(array: A, length = array.length): A {
  return (array instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)) as A
}
