'use strict'
// npm run pictures                        every screen, as it looks here and where this branch left main
// npm run pictures -- --base REF [name …] … and at another commit; only those whose name holds one of the words
// npm run pictures -- --update            takes the dozen again that npm test compares (e2e/pictures)
// npm run pictures -- --record            asks a freshly seeded installation again what it answers, then --update
const { execFileSync, spawnSync } = require('node:child_process')
const { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } = require('node:fs')
const { join, relative } = require('node:path')
const { at, fail, root, run, say, setUp } = require('./setup.cjs')

const CACHE = at('node_modules', '.cache', 'pictures')
const PLAYWRIGHT = [
  at('node_modules', '@playwright', 'test', 'cli.js'),
  'test',
  '-c',
  at('e2e', 'playwright.config.ts'),
]
const SPEC = ['pictures.spec.ts', '--retries=0']

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 30 }).trim()

/** What is installed here, beside the workspaces of the sources in `folder`. */
function linkPackages(folder) {
  const installed = at('node_modules')
  mkdirSync(join(folder, 'node_modules', '@shapecast'), { recursive: true })
  for (const name of readdirSync(installed))
    if (!name.startsWith('.') && name !== '@shapecast')
      symlinkSync(join(installed, name), join(folder, 'node_modules', name), 'junction')
  for (const name of readdirSync(join(installed, '@shapecast'))) {
    const workspace = relative(root, realpathSync(join(installed, '@shapecast', name)))
    symlinkSync(join(folder, workspace), join(folder, 'node_modules', '@shapecast', name), 'junction')
  }
}

/** The client of a commit, built with the packages that are installed here. Returns its folder. */
function buildClient(node, commit) {
  const built = join(CACHE, commit)
  if (existsSync(built)) return built
  say(`Building the web client of ${commit.slice(0, 8)} …`)
  const sources = join(CACHE, 'sources')
  rmSync(sources, { recursive: true, force: true })
  mkdirSync(sources, { recursive: true })
  const archive = join(CACHE, 'sources.tar')
  git('archive', '--output', archive, commit, 'apps/web', 'packages', 'package.json', 'tsconfig.base.json')
  execFileSync('tar', ['-xf', archive, '-C', sources])
  linkPackages(sources)
  const web = join(sources, 'apps', 'web')
  const vite = at('node_modules', 'vite', 'bin', 'vite.js')
  const { status } = spawnSync(node, [vite, 'build', '--logLevel', 'error'], { cwd: web, stdio: ['ignore', 2, 2] })
  if (status !== 0) fail(`The web client of ${commit} could not be built; the lines above say why.`)
  renameSync(join(web, 'dist'), built)
  rmSync(sources, { recursive: true })
  rmSync(archive)
  return built
}

function take(node, args, env, ended) {
  run(node, [...PLAYWRIGHT, ...SPEC, ...args], ended, { env: Object.assign({}, process.env, env) })
}

/** Pictures of `base` first, then what looks different here: a page that lays both over each other. */
function compare(node, base, names) {
  const commit = git('rev-parse', '--verify', `${base}^{commit}`)
  const client = buildClient(node, commit)
  const PICTURES = join(CACHE, 'before')
  rmSync(PICTURES, { recursive: true, force: true })
  const report = at('playwright-report')
  const wanted = names.length === 0 ? [] : ['--grep', names.join('|')]
  say(`Taking the pictures of ${base} …`)
  const before = ['--update-snapshots=all', '--reporter=dot', ...wanted]
  take(node, before, { PICTURES, PICTURES_CLIENT: client }, (_, told) => {
    if (told !== null) return
    say('Comparing them with the working tree …')
    const env = { PICTURES, PLAYWRIGHT_HTML_OUTPUT_DIR: report, PLAYWRIGHT_HTML_OPEN: 'never' }
    take(node, ['--update-snapshots=none', '--reporter=line,html', ...wanted], env, (code) => {
      process.stdout.write(
        code === 0
          ? `Every screen looks as at ${base}\n`
          : `Screens look different than at ${base}: ${join(report, 'index.html')}\n`,
      )
      process.exitCode = code
    })
  })
}

const update = (node) =>
  take(node, ['--update-snapshots=changed', '--reporter=list'], {}, (code) => {
    process.exitCode = code
  })

const node = setUp()
const words = process.argv.slice(2)
if (words[0] === '--record')
  run(node, [at('e2e', 'pictures', 'record.ts')], (code) => (code === 0 ? update(node) : process.exit(code)))
else if (words[0] === '--update') update(node)
else if (words[0] === '--base') compare(node, words[1], words.slice(2))
else compare(node, git('merge-base', 'HEAD', 'main'), words)
