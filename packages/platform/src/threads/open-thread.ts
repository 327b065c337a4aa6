import { Worker } from 'node:worker_threads'
import { AppError } from '@shapecast/contracts/errors'
import { type AnswerMessage, type CallMessage, type Calls, ownBuffers } from './serve-calls.ts'

type Input<C extends Calls, K extends keyof C> = Parameters<C[K]>[0]
type Output<C extends Calls, K extends keyof C> = Awaited<ReturnType<C[K]>>

/** A thread that answers the calls `C`. */
export interface Thread<C extends Calls> {
  /**
   * Asks the thread. Columns (typed arrays) of the input that fill their memory are handed over and gone here afterwards.
   * Throws what the thread threw, and an Error where it has ended.
   */
  call<K extends keyof C & string>(name: K, input: Input<C, K>): Promise<Output<C, K>>
  /** Whether it still answers. */
  readonly alive: boolean
  /** Ends it once the calls that wait are answered. */
  close(): Promise<void>
}

type Waiting = PromiseWithResolvers<unknown>

/** Starts a thread from a module that calls `serveCalls`. It keeps the process running only while a call waits. */
export function openThread<C extends Calls>(module: URL): Thread<C> {
  const worker = new Worker(module)
  const waiting = new Map<number, Waiting>()
  let calls = 0
  let alive = true

  const settle = (id: number): Waiting | undefined => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
    return one
  }
  const end = (error: unknown) => {
    alive = false
    void worker.terminate()
    for (const id of [...waiting.keys()]) settle(id)?.reject(error)
  }
  worker.on('error', end)
  worker.on('messageerror', end)
  worker.on('exit', (code) => end(new Error(`The thread ended with code ${code} before it answered.`)))
  worker.on('message', (answer: AnswerMessage) => {
    const one = settle(answer.id)
    switch (answer.kind) {
      case 'done':
        return one?.resolve(answer.output)
      case 'refused':
        return one?.reject(new AppError(answer.code, answer.text, answer.details))
      case 'failed':
        return one?.reject(answer.error)
      default:
        answer satisfies never
    }
  })

  // Only here: a listener for messages keeps the process alive again.
  worker.unref()

  return {
    async call<K extends keyof C & string>(name: K, input: Input<C, K>): Promise<Output<C, K>> {
      if (!alive) throw new Error('The thread has ended.')
      const message: CallMessage = { id: calls++, name, input }
      worker.postMessage(message, ownBuffers(input))
      const one: Waiting = Promise.withResolvers()
      waiting.set(message.id, one)
      worker.ref()
      return (await one.promise) as Output<C, K>
    },
    get alive() {
      return alive
    },
    async close() {
      await Promise.allSettled([...waiting.values()].map((one) => one.promise))
      await worker.terminate()
    },
  }
}
