import { describe, expect, it } from 'vitest'
import { linkTo, type View, viewOf } from './view.ts'

const read = (address: string) => viewOf(new URL(address, 'http://local').searchParams)

describe('the view in the address', () => {
  it.each<[string, View]>([
    ['/ml-analysis', { kind: 'home' }],
    ['/ml-analysis?model=v3', { kind: 'model', version: 'v3', artifactId: null }],
    ['/ml-analysis?model=v3.1&artifact=a1', { kind: 'model', version: 'v3.1', artifactId: 'a1' }],
    ['/ml-analysis?compare=v3,v4', { kind: 'compare', versions: ['v3', 'v4'] }],
    ['/ml-analysis?compare=', { kind: 'compare', versions: [] }],
    ['/ml-analysis?record', { kind: 'record', version: null }],
    ['/ml-analysis?record=v3', { kind: 'record', version: 'v3' }],
  ])('%s is read, and written the same way', (address, view) => {
    expect(read(address)).toEqual(view)
    expect(linkTo(view)).toBe(address)
  })
  it('leaves out names that are none and versions named twice, and compares at most 5', () => {
    expect(read('/ml-analysis?compare=v3,v3,%20,../x,v4')).toEqual({ kind: 'compare', versions: ['v3', 'v4'] })
    expect(read('/ml-analysis?compare=a,b,c,d,e,f')).toEqual({
      kind: 'compare',
      versions: ['a', 'b', 'c', 'd', 'e'],
    })
  })
  it('of a model that has no possible name is the Data Center itself', () =>
    expect(read('/ml-analysis?model=%3Cscript%3E')).toEqual({ kind: 'home' }))
})
