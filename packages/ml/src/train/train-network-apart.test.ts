import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { smallTraining } from './testing/small-job.ts'
import { trainNetwork } from './train-network.ts'
import { trainNetworkApart } from './train-network-apart.ts'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('training in a thread of its own', () => {
  it('gives the bytes that training here gives, and its reports and states in order', async () => {
    const states: Uint8Array[] = []
    const here = await trainNetwork(smallTraining('lstm', { onEpoch: (e) => void states.push(e.state()) }))
    const told: [epoch: number, state: string][] = []
    const onEpoch = (e: { epoch: number; state(): Uint8Array }) => void told.push([e.epoch, hash(e.state())])
    const apart = await trainNetworkApart(smallTraining('lstm', { onEpoch }), true)
    expect(hash(apart.onnx)).toBe(hash(here.onnx))
    expect(hash(apart.state)).toBe(hash(here.state))
    expect(apart.history).toEqual(here.history)
    expect(told).toEqual(states.map((state, k) => [k + 1, hash(state)]))
  })

  it('goes on from a state to the same bytes', async () => {
    const states: Uint8Array[] = []
    const whole = await trainNetwork(smallTraining('transformer', { onEpoch: (e) => void states.push(e.state()) }))
    const resumed = await trainNetworkApart(smallTraining('transformer', { resume: states[1]! }), false)
    expect(hash(resumed.onnx)).toBe(hash(whole.onnx))
  })

  it('waits for the report of an epoch to be dealt with before the next', async () => {
    const events: string[] = []
    const onEpoch = async ({ epoch }: { epoch: number }) => {
      events.push(`begin ${epoch}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      events.push(`end ${epoch}`)
    }
    await trainNetworkApart(smallTraining('lstm', { epochs: 2, onEpoch }), false)
    expect(events).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2'])
  })

  it('stops where it is aborted, with the reason', async () => {
    const stop = new AbortController()
    const epochs: number[] = []
    const onEpoch = ({ epoch }: { epoch: number }) => {
      epochs.push(epoch)
      if (epoch === 2) stop.abort(new Error('enough'))
    }
    const endless = smallTraining('lstm', { epochs: 1_000_000, patience: 1_000_000, onEpoch, signal: stop.signal })
    await expect(trainNetworkApart(endless, false)).rejects.toThrow('enough')
    expect(epochs).toEqual([1, 2])
  })

  it('passes on why a training is refused, and why a report was not taken', async () => {
    const few = smallTraining('lstm', { trainRows: Int32Array.of(20) })
    await expect(trainNetworkApart(few, false)).rejects.toMatchObject({ name: 'AppError', code: 'too_few_candles' })
    const onEpoch = () => Promise.reject(new Error('no room'))
    await expect(trainNetworkApart(smallTraining('lstm', { onEpoch }), false)).rejects.toThrow('no room')
    const stateless = smallTraining('lstm', { onEpoch: (e) => void e.state() })
    await expect(trainNetworkApart(stateless, false)).rejects.toThrow('without states')
  })
})
