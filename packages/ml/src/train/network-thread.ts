import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { AppError } from '@shapecast/contracts/errors'
import type { EpochReport, NetworkTraining, TrainedNetwork } from './network-training.ts'
import { standBack } from './stand-back.ts'
import { trainNetwork } from './train-network.ts'

/** What a thread is started with: a training without its functions. */
export interface ThreadJob {
  training: Omit<NetworkTraining, 'onEpoch' | 'signal'>
  /** Whether each epoch's state is sent along. */
  states: boolean
}

export type ThreadReport = Omit<EpochReport, 'state'> & { state?: Uint8Array }

export type FromThread =
  | { kind: 'epoch'; report: ThreadReport }
  | { kind: 'trained'; trained: TrainedNetwork }
  | { kind: 'refused'; code: AppError['code']; text: string }
  | { kind: 'failed'; error: unknown }

export type ToThread = { kind: 'go' } | { kind: 'stop' }

/** Trains what it was started with: each epoch is told and waits for a word to go on, so that its keeper sets the pace. */
async function run(port: MessagePort, { training, states }: ThreadJob): Promise<FromThread> {
  const stop = new AbortController()
  let goOn = () => {}
  port.on('message', (message: ToThread) => {
    if (message.kind === 'stop') stop.abort()
    goOn()
  })
  try {
    const trained = await trainNetwork({
      ...training,
      signal: stop.signal,
      async onEpoch({ state, ...report }) {
        const heard = new Promise<void>((resolve) => {
          goOn = resolve
        })
        port.postMessage({
          kind: 'epoch',
          report: states ? { ...report, state: state() } : report,
        } satisfies FromThread)
        await heard
      },
    })
    return { kind: 'trained', trained }
  } catch (error) {
    return error instanceof AppError
      ? { kind: 'refused', code: error.code, text: error.message }
      : { kind: 'failed', error }
  } finally {
    port.unref()
  }
}

if (parentPort) {
  standBack()
  parentPort.postMessage(await run(parentPort, workerData as ThreadJob))
}
