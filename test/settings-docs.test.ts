import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const textOf = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')

it('docs/operations.md explains every setting that the schema reads, and no other', () => {
  const schema = /const Environment = z\.object\(\{\n(.*?)\n\}\)/s.exec(
    textOf('packages/platform/src/settings.ts'),
  )![1]!
  const read = [...schema.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name)
  const table = /\n## Settings\n(.*?)\n## /s.exec(textOf('docs/operations.md'))![1]!
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!)
  const told = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
  expect(read.length).toBeGreaterThan(15)
  expect(told.toSorted()).toEqual(read.toSorted())
})
