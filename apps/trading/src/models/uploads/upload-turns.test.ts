import { describe, expect, it } from 'vitest'
import { createUploadTurns } from './upload-service.ts'

const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
/** Work that goes on until it is told to end, and says when it has begun. */
function work(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = () => {
    begun.push(name)
    return promise
  }
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) }
}

describe('uploads that are let in', () => {
  it('are two of a person at a time, and eight of all, one more for each that is over, however it ended', async () => {
    const { admit } = createUploadTurns()
    const begun: string[] = []
    const works = Array.from({ length: 8 }, (_, i) => work(begun, `${i}`))
    const under = works.slice(0, 2).map(({ run }) => admit('a', run))
    await expect(admit('a', async () => 'third')).rejects.toMatchObject({
      code: 'too_many_requests',
      message: '2 of your uploads are under way. Wait for one of them.',
    })
    under.push(...works.slice(2).map(({ run }, i) => admit(`b${Math.floor(i / 2)}`, run)))
    expect(begun).toHaveLength(8)
    const ninth = { code: 'too_many_requests', message: 'Many uploads are under way. Try again in a moment.' }
    await expect(admit('c', async () => 'ninth')).rejects.toMatchObject(ninth)

    works[0]!.fail()
    await expect(under[0]).rejects.toThrow('0')
    expect(await admit('a', async () => 'third')).toBe('third')
    expect(await admit('c', async () => 'ninth')).toBe('ninth')
    const last = work(begun, 'last')
    under.push(admit('a', last.run))
    await expect(admit('c', async () => 'ninth')).rejects.toMatchObject(ninth)
    for (const one of [...works, last]) one.end()
    await Promise.allSettled(under)
    const again = Array.from({ length: 2 }, () => admit('a', async () => 'again'))
    expect(await Promise.all(again)).toEqual(['again', 'again'])
  })
})

describe('uploads that are tried out', () => {
  it('are two at a time, the next in their order as one ends', async () => {
    const { inTurn } = createUploadTurns()
    const begun: string[] = []
    const works = ['a', 'b', 'c', 'd'].map((name) => work(begun, name))
    const under = works.map(({ run }, i) => inTurn(`series ${i}`, run))
    await soon()
    expect(begun).toEqual(['a', 'b'])
    works[1]!.fail()
    await expect(under[1]).rejects.toThrow('b')
    await soon()
    expect(begun).toEqual(['a', 'b', 'c'])
    works[0]!.end()
    await soon()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    for (const one of works) one.end()
    expect(await Promise.allSettled(under)).toMatchObject([
      { value: 'a' },
      { reason: { message: 'b' } },
      { value: 'c' },
      { value: 'd' },
    ])
    // Everybody's place is free again.
    const later = ['e', 'f', 'g'].map((name) => work(begun, name))
    const last = later.map(({ run }, i) => inTurn(`series ${i}`, run))
    await soon()
    expect(begun.slice(4)).toEqual(['e', 'f'])
    for (const one of later) one.end()
    await Promise.all(last)
  })

  it('run one after the other for one series, also after a failure, and delay no other series', async () => {
    const { inTurn } = createUploadTurns()
    const begun: string[] = []
    const works = ['a1', 'a2', 'a3', 'b1'].map((name) => work(begun, name))
    const under = works.map(({ run }, i) => inTurn(i < 3 ? 'a' : 'b', run))
    await soon()
    expect(begun).toEqual(['a1', 'b1'])
    works[0]!.fail()
    await expect(under[0]).rejects.toThrow('a1')
    await soon()
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    const fourth = work(begun, 'a4')
    under.push(inTurn('a', fourth.run))
    works[1]!.end()
    await under[1]
    await soon()
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3'])
    for (const one of [...works, fourth]) one.end()
    await Promise.allSettled(under)
    expect(begun.at(-1)).toBe('a4')
  })
})
