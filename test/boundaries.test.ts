import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[]
}
const FLOORED = ['trading', 'social', 'web'] as const
/** The rooms of an app that the rules know, upper floors first. */
const floorsOf = (app: string): string[] => {
  const prefix = `floors-${app}-`
  return forbidden.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
}

/** Every room imports the one above it, and the uppermost the roof. */
const UPWARDS = FLOORED.flatMap((app) =>
  floorsOf(app).map((room, above, floors) => ({
    rule: `floors-${app}-${room}`,
    file: `apps/${app}/src/${room}/upwards.ts`,
    imports: above === 0 ? '../target.ts' : `../${floors[above - 1]}/target.ts`,
  })),
)

/** Where folders import each other in a circle, though no file does. */
const WITH_CIRCLES = [
  ...['contracts', 'engine', 'ml', 'venues', 'platform'].map((name) => `packages/${name}/src`),
  ...['social', 'trading', 'web', 'shapecast'].map((name) => `apps/${name}/src`),
  'bench',
]

/** One forbidden import a rule: the file that commits it and what it imports. */
const PLANTED: readonly { rule: string; file: string; imports: string }[] = [
  { rule: 'contracts-stand-alone', file: 'packages/contracts/src/a.ts', imports: '@shapecast/engine/target' },
  { rule: 'engine-uses-contracts', file: 'packages/engine/src/a.ts', imports: '@shapecast/ml/target' },
  { rule: 'ml-uses-engine-and-contracts', file: 'packages/ml/src/a.ts', imports: '@shapecast/venues/target' },
  { rule: 'venues-use-engine-and-contracts', file: 'packages/venues/src/a.ts', imports: '@shapecast/ml/target' },
  { rule: 'platform-uses-contracts', file: 'packages/platform/src/a.ts', imports: '@shapecast/engine/target' },
  { rule: 'social-below-composition', file: 'apps/social/src/a.ts', imports: '@shapecast/trading/target' },
  { rule: 'trading-below-composition', file: 'apps/trading/src/a.ts', imports: '@shapecast/social/target' },
  { rule: 'web-uses-contracts', file: 'apps/web/src/a.ts', imports: '@shapecast/engine/target' },
  { rule: 'pure-domain', file: 'packages/engine/src/b.ts', imports: 'node:fs' },
  ...UPWARDS,
  { rule: 'floors-trading-models', file: 'apps/trading/src/models/a.ts', imports: '../bots/target.ts' },
  { rule: 'floors-trading-ground', file: 'apps/trading/src/ground/a.ts', imports: '../models/target.ts' },
  { rule: 'floors-trading-bots', file: 'apps/trading/src/bots/a.ts', imports: '../target.ts' },
  { rule: 'tests-above-product', file: 'apps/trading/src/bots/b.ts', imports: '../../test/support/target.ts' },
  { rule: 'floors-social-proof', file: 'apps/social/src/proof/a.ts', imports: '../tasks/target.ts' },
  { rule: 'web-rooms-apart', file: 'apps/web/src/features/backtest/a.ts', imports: '../bots/target.ts' },
  { rule: 'floors-web-kit', file: 'apps/web/src/kit/ui/a.ts', imports: '../../entities/bots/target.ts' },
  { rule: 'floors-web-entities', file: 'apps/web/src/entities/bots/a.ts', imports: '../../charts/target.ts' },
  { rule: 'floors-web-features', file: 'apps/web/src/features/bots/a.ts', imports: '../../app/target.ts' },
  { rule: 'testing-is-for-tests', file: 'packages/venues/src/b.ts', imports: './testing/target.ts' },
  { rule: 'no-circles', file: 'packages/ml/src/circle-a.ts', imports: './circle-b.ts' },
  { rule: 'resolvable', file: 'packages/ml/src/b.ts', imports: './nowhere.ts' },
]

const TARGETS = [
  ...['contracts', 'engine', 'ml', 'venues', 'platform'].map((name) => `packages/${name}/src/target.ts`),
  ...['social', 'trading', 'web', 'shapecast'].map((name) => `apps/${name}/src/target.ts`),
  ...FLOORED.flatMap((app) => floorsOf(app).map((room) => `apps/${app}/src/${room}/target.ts`)),
  'apps/trading/test/support/target.ts',
  'packages/venues/src/testing/target.ts',
  'apps/web/src/features/bots/target.ts',
  'apps/web/src/entities/bots/target.ts',
]

/** What `npm run boundaries` says of a project: one line a violation. */
async function violationsIn(folder: string): Promise<string[]> {
  const run = promisify(execFile)(process.execPath, [join(root, 'scripts/boundaries.cjs'), folder])
  const { stderr } = await run.catch((failed: { stderr: string }) => failed)
  return stderr.split('\n').filter((line) => line !== '')
}

describe('the walls between packages', () => {
  let folder = ''
  let found: string[] = []

  const put = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shapecast-walls-'))
    for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'tsconfig.base.json'])
      await copyFile(join(root, file), join(folder, file))
    for (const target of TARGETS) await put(target, 'export const target = 1\n')
    await mkdir(join(folder, 'node_modules/@shapecast'), { recursive: true })
    for (const workspace of new Set(TARGETS.map((target) => target.split('/').slice(0, 2).join('/')))) {
      const name = workspace.split('/')[1]
      await put(
        `${workspace}/package.json`,
        JSON.stringify({ name: `@shapecast/${name}`, exports: { './*': './src/*.ts' } }),
      )
      await symlink(join(folder, workspace), join(folder, `node_modules/@shapecast/${name}`))
    }
    await put('packages/ml/src/circle-b.ts', `import * as back from './circle-a.ts'\nexport const used = back\n`)
    for (const { file, imports } of PLANTED)
      await put(file, `import * as planted from '${imports}'\nexport const used = planted\n`)
    for (const src of WITH_CIRCLES) {
      await put(`${src}/circle/inner/kit.ts`, `export { a } from '../kit.ts'\n`)
      await put(`${src}/circle/kit.ts`, 'export const a = 1\n')
      await put(`${src}/circle/all.ts`, `export { a } from './inner/kit.ts'\n`)
    }
    for (const folder of ['bench', 'e2e']) await put(`${folder}/innocent.ts`, 'export {}\n')
    found = await violationsIn(folder)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(PLANTED)('$rule catches $file importing $imports', ({ rule, file }) => {
    expect(found.filter((line) => line.startsWith(`${rule}: ${file} → `))).toHaveLength(1)
  })

  it.each(WITH_CIRCLES)('names folders of %s that import each other in a circle, though no file does', (src) => {
    expect(found).toContain(`folders in a circle: ${src}/circle, ${src}/circle/inner`)
    expect(found).toContain(`    ${src}/circle/all.ts → ${src}/circle/inner/kit.ts`)
    expect(found).toContain(`    ${src}/circle/inner/kit.ts → ${src}/circle/kit.ts`)
  })

  it('finds nothing in files that break no rule', () => {
    const planted = new RegExp(`^[a-z-]+: (${PLANTED.map(({ file }) => file).join('|')}) → |circle|^    `)
    expect(found.filter((line) => !planted.test(line))).toEqual([])
  })
})

it.each(FLOORED)('gives every room of apps/%s its floor', async (app) => {
  const entries = await readdir(join(root, `apps/${app}/src`), { withFileTypes: true })
  const rooms = entries.flatMap((entry) => (entry.isDirectory() && entry.name !== 'testing' ? [entry.name] : []))
  expect(rooms.sort()).toEqual(floorsOf(app).sort())
})
