'use strict'
// What the first load of a page takes, gzipped, from the production build: each page has its limit in kB, and some in files.
// The dashboard's, with the page itself and its first seven calls, make 15 requests; first-load.test.tsx holds what those
// calls bring to 20 kB.
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { gzipSync } = require('node:zlib')

const FRAME = ['index', 'product', 'dashboard']
const PAGES = [
  { name: 'Landing', limit: 110, mostFiles: 1, chunks: ['index'] },
  { name: 'Sign In', limit: 175, mostFiles: 4, chunks: ['index', 'product', 'sign-in'] },
  { name: 'Dashboard', limit: 310, mostFiles: 8, chunks: [...FRAME, 'price-chart'], limitWithFont: 387 },
  { name: 'Bots', limit: 271, chunks: [...FRAME, 'bots-page'] },
  { name: 'Backtest', limit: 282, chunks: [...FRAME, 'backtest-page'] },
  { name: 'Data Center', limit: 268, chunks: [...FRAME, 'home-page'] },
  { name: 'Model', limit: 292, chunks: [...FRAME, 'model-page'] },
  { name: 'Settings', limit: 296, chunks: [...FRAME, 'settings-sections', 'system-settings'] },
]

const dist = resolve(__dirname, '../apps/web/dist')
const manifestFile = join(dist, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  process.stderr.write('The web client is not built. Build it: npm run build\n')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))

const keyOf = (name) =>
  Object.keys(manifest).find((key) => manifest[key].name === name && manifest[key].file.endsWith('.js'))

/** The files of these chunks and of all that they import, each once. */
function filesOf(names) {
  const seen = new Set()
  const open = names.map((name) => {
    const key = keyOf(name)
    if (key === undefined) throw new Error(`The build has no chunk ${name}`)
    return key
  })
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    open.push(...(manifest[key].imports || []))
  }
  return [...seen].map((key) => manifest[key].file)
}

const gzippedKb = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000

const kbOf = (files) => files.reduce((sum, file) => sum + gzippedKb(file), 0)

function say(name, kb, count, limits, isTooMuch) {
  process.stdout.write(`${name}: ${kb.toFixed(1)} kB${count}, limit ${limits}${isTooMuch ? ': too much' : ''}\n`)
  if (isTooMuch) process.exitCode = 1
}

// The letters of other scripts are files of their own, which a page without them does not ask for.
const font = readdirSync(join(dist, 'assets')).find((file) => /^inter-latin-opsz-.*\.woff2$/.test(file))
if (font === undefined) throw new Error('The build has no font')
const fontKb = statSync(join(dist, 'assets', font)).size / 1000

for (const { name, limit, mostFiles = Infinity, chunks, limitWithFont } of PAGES) {
  const files = filesOf(chunks)
  const kb = kbOf(files)
  const limits = mostFiles < Infinity ? `${limit} in ${mostFiles}` : limit
  say(name, kb, ` in ${files.length} files`, limits, kb > limit || files.length > mostFiles)
  if (limitWithFont === undefined) continue
  const all = kb + gzippedKb('dashboard.html') + fontKb
  say(`${name} with its page and the font`, all, '', limitWithFont, all > limitWithFont)
}
