import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_STATUS } from '@shapecast/contracts/errors'
import { endpointsOf } from '@shapecast/contracts/table'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
/** What the services and what they stand on are made of, without tests, comments and the contracts themselves. */
const SOURCES = [
  'apps/trading',
  'apps/social',
  'apps/shapecast',
  'packages/platform',
  'packages/venues',
  'packages/ml',
  'packages/engine',
]
const COMMENTS = /^ *\/\*\*[\s\S]*?\*\/|^ *\/\/.*$/gm
const source = SOURCES.flatMap((folder) =>
  readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
    .map((file) => readFileSync(join(ROOT, folder, 'src', file), 'utf8').replace(COMMENTS, '')),
).join('\n')

it('every code in the contracts is answered somewhere', () => {
  expect(Object.keys(ERROR_STATUS).filter((code) => !source.includes(`'${code}'`))).toEqual([])
})

it('every code that an endpoint promises is answered', () => {
  const promised = new Set(
    (['trading', 'social'] as const).flatMap((name) => endpointsOf(name).flatMap(([, { errors = [] }]) => errors)),
  )
  expect([...promised].filter((code) => !source.includes(`'${code}'`))).toEqual([])
})
