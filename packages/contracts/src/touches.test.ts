import { expect, it } from 'vitest'
import { ENDPOINTS } from './table.ts'

const all = [...ENDPOINTS]
const changes = all.flatMap(([name, { method, touches }]) => (method === 'GET' ? [] : [{ name, touches }]))
const reads = new Set(all.flatMap(([, endpoint]) => (endpoint.method === 'GET' ? [endpoint] : [])))

it('every call that changes something declares what it touches, even if nothing', () => {
  expect(changes.length).toBeGreaterThan(50)
  expect(changes.filter(({ touches }) => touches === undefined)).toEqual([])
})

it('touches only reads that a client can call', () => {
  const astray = changes.filter(({ touches }) => Array.isArray(touches) && touches.some((one) => !reads.has(one)))
  expect(astray.map(({ name }) => name)).toEqual([])
})
