import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')

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
  { rule: 'rooms-apart', file: 'apps/trading/src/features/bots/a.ts', imports: '../ml/target.ts' },
  { rule: 'shared-below-features', file: 'apps/web/src/shared/a.ts', imports: '../features/bots/target.ts' },
  { rule: 'features-below-app', file: 'apps/web/src/features/bots/a.ts', imports: '../../app/target.ts' },
  { rule: 'no-circles', file: 'packages/ml/src/circle-a.ts', imports: './circle-b.ts' },
  { rule: 'resolvable', file: 'packages/ml/src/b.ts', imports: './nowhere.ts' },
]

const TARGETS = [
  ...['contracts', 'engine', 'ml', 'venues', 'platform'].map((name) => `packages/${name}/src/target.ts`),
  ...['social', 'trading', 'web', 'shapecast'].map((name) => `apps/${name}/src/target.ts`),
  'apps/trading/src/features/ml/target.ts',
  'apps/web/src/features/bots/target.ts',
  'apps/web/src/app/target.ts',
]

interface Violation {
  from: string
  rule: { name: string }
}

async function violationsIn(folder: string, folders: string[]): Promise<Violation[]> {
  const run = promisify(execFile)(
    process.execPath,
    [cruiser, ...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    { cwd: folder, maxBuffer: 1 << 28 },
  )
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}

describe('the walls between packages', () => {
  let folder = ''
  let found: Violation[] = []

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
    found = await violationsIn(folder, ['packages', 'apps'])
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(PLANTED)('$rule catches $file importing $imports', ({ rule, file }) => {
    expect(found.filter((violation) => violation.from === file).map((violation) => violation.rule.name)).toContain(rule)
  })

  it('catches nothing in the files that are innocent', () => {
    const planted = new Set(PLANTED.map(({ file }) => file))
    expect(found.filter((violation) => !planted.has(violation.from))).toEqual([])
  })
})

it('every wall stands in the project itself', async () => {
  expect(await violationsIn(root, ['packages', 'apps', 'bench', 'e2e'])).toEqual([])
})
