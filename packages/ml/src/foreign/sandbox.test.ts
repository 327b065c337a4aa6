import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { encodeModel } from '../graph/onnx-model.ts'
import { openSandbox, type SandboxReply } from './sandbox.ts'
import { plainModel } from './testing/plain-model.ts'
import { slowModel } from './testing/slow-model.ts'

const ONE = [new Float32Array(8), [1, 4, 2]] satisfies [Float32Array, [number, number, number]]
const LIMITS = { openMs: 30_000, runMs: 30_000, memoryBytes: 1024 ** 3 }

describe('a sandbox', () => {
  it('answers each run with its own numbers, also side by side', async () => {
    const sandbox = await openSandbox(plainModel(), LIMITS)
    // The logit is the mean of each input over four candles, times −0.03 and −0.02.
    const logit = async (first: number) => {
      const windows = Float32Array.from({ length: 8 }, (_, k) => (k % 2 === 0 ? first : 1))
      return (await sandbox.run(windows, [1, 4, 2])).upLogit[0]
    }
    const logits = await Promise.all([1, 2, 3].map(logit))
    ;[-0.05, -0.08, -0.11].forEach((expected, k) => {
      expect(logits[k]).toBeCloseTo(expected, 6)
    })
    sandbox.close()
  })

  it('tells everybody who waits why it was ended, and anyone who comes later that it was', async () => {
    const sandbox = await openSandbox(slowModel(), { ...LIMITS, runMs: 200 })
    const waiting = [sandbox.run(...ONE), sandbox.run(...ONE)].map((run) => run.catch((error: Error) => error.message))
    for (const reason of await Promise.all(waiting))
      expect(reason).toMatch(/^This ONNX file cannot be used: it took longer than 0\.2 s \([\d,]+ ms measured\)\.$/)
    expect(sandbox.alive).toBe(false)
    await expect(sandbox.run(...ONE)).rejects.toMatchObject({
      code: 'unprocessable',
      field: 'onnx',
      message: 'This ONNX file cannot be used: its process has ended.',
    })
  })

  it('rejects what waits where it is closed', async () => {
    const sandbox = await openSandbox(slowModel(), LIMITS)
    const run = sandbox.run(...ONE)
    sandbox.close()
    await expect(run).rejects.toThrow('it was closed')
  })

  it('takes no output that is not float32', async () => {
    const shape = ['batch', 4, 2]
    const integers = encodeModel({
      nodes: [
        { op: 'Cast', inputs: ['x'], outputs: ['quantiles'], attributes: { to: { int: 7 } } },
        { op: 'Identity', inputs: ['x'], outputs: ['up_logit'] },
      ],
      initialisers: [],
      inputs: [{ name: 'x', type: 'float32', shape }],
      outputs: [
        { name: 'quantiles', type: 'int64', shape },
        { name: 'up_logit', type: 'float32', shape },
      ],
    })
    const sandbox = await openSandbox(integers, LIMITS)
    await expect(sandbox.run(...ONE)).rejects.toThrow('an output is not float32')
    sandbox.close()
  })

  it.skipIf(process.platform !== 'linux')('is given none of our settings', async () => {
    vi.stubEnv('SHAPECAST_SECRET', 'hunter2')
    const sandbox = await openSandbox(plainModel(), LIMITS)
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const environments = children.map((pid) => [pid, readFileSync(`/proc/${pid}/environ`, 'utf8')] as const)
    const own = environments.filter(([, environment]) => environment.includes('ORT_DISABLE_TELEMETRY'))
    expect(own).toHaveLength(1)
    for (const [, environment] of own) expect(environment).not.toContain('hunter2')
    sandbox.close()
    vi.unstubAllEnvs()
  })

  it('has its memory watched while it is loaded and runs, and not while it rests', async () => {
    let looks = 0
    const sandbox = await openSandbox(slowModel(), LIMITS, async () => ++looks)
    const before = looks
    await wait(300)
    expect(looks).toBe(before)
    const run = sandbox.run(...ONE).catch(() => undefined)
    await expect.poll(() => looks).toBeGreaterThan(before)
    sandbox.close()
    await run
  })

  it('leaves nothing running here once it is closed', async () => {
    const set = vi.spyOn(globalThis, 'setInterval')
    const clear = vi.spyOn(globalThis, 'clearInterval')
    const sandbox = await openSandbox(plainModel(), LIMITS)
    sandbox.close()
    expect(clear).toHaveBeenCalledWith(set.mock.results[0]!.value)
    set.mockRestore()
    clear.mockRestore()
  })

  it('goes on after a run that the runtime refuses', async () => {
    const sandbox = await openSandbox(plainModel(), LIMITS)
    await expect(sandbox.run(new Float32Array(6), [1, 3, 2])).rejects.toThrow('the runtime says: ')
    expect((await sandbox.run(...ONE)).quantiles).toHaveLength(40)
    sandbox.close()
  })

  it('ends with the process that started it, in the middle of a run', async () => {
    const child = fork(fileURLToPath(new URL('./sandbox-child.ts', import.meta.url)), [], {
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    })
    const ended = once(child, 'exit')
    child.send({ id: 1, kind: 'open', onnx: slowModel() })
    const [reply]: SandboxReply[] = await once(child, 'message')
    expect(reply).toEqual({ id: 1, kind: 'opened' })
    await new Promise((sent) => child.send({ id: 2, kind: 'run', windows: ONE[0], shape: ONE[1] }, sent))
    expect(child.exitCode).toBeNull()
    // As the system does where a process ends.
    child.stdin!.destroy()
    await ended
    expect(child.signalCode ?? child.exitCode).not.toBe(0)
  })
})
