import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '@shapecast/contracts/errors'
import type { FromThread, ThreadJob, ToThread } from './network-thread.ts'
import type { NetworkTraining, TrainedNetwork } from './network-training.ts'

/**
 * `trainNetwork` in a thread of its own, on a core of its own if there is one: the same input gives the same bytes.
 * `states` says whether the reports of `onEpoch` can give a state. An abort is heeded between two steps, as there.
 */
export async function trainNetworkApart(training: NetworkTraining, states: boolean): Promise<TrainedNetwork> {
  const { onEpoch, signal, ...plain } = training
  signal?.throwIfAborted()
  const job: ThreadJob = { training: plain, states }
  const thread = new Worker(new URL('./network-thread.ts', import.meta.url), { workerData: job })
  const tell = (message: ToThread) => thread.postMessage(message)
  const stop = () => tell({ kind: 'stop' })
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<TrainedNetwork>((resolve, reject) => {
      thread.on('error', reject)
      thread.on('exit', (code) => reject(new Error(`The training thread ended with code ${code}.`)))
      const heard = async (message: FromThread): Promise<void> => {
        switch (message.kind) {
          case 'epoch': {
            const { state, ...report } = message.report
            await onEpoch?.({ ...report, state: () => givenState(state) })
            return tell({ kind: 'go' })
          }
          case 'trained':
            return resolve(message.trained)
          case 'refused':
            return reject(new AppError(message.code, message.text))
          case 'failed':
            return reject(signal?.aborted ? signal.reason : message.error)
          default:
            message satisfies never
        }
      }
      thread.on('message', (message: FromThread) => void heard(message).catch(reject))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    await ended(thread)
  }
}

function givenState(state: Uint8Array | undefined): Uint8Array {
  if (!state) throw new Error('This training was started without states.')
  return state
}

/** Waits until the thread has let go of its memory; one that trains on because its keeper failed is told to stop. */
async function ended(thread: Worker): Promise<void> {
  if (thread.threadId === -1) return
  const exit = once(thread, 'exit')
  thread.postMessage({ kind: 'stop' } satisfies ToThread)
  await exit
}
