'use strict'
// What the first load of a page takes, gzipped, from the production build: each page has its limit in kB, and some in files.
// The dashboard's, with the page itself and its first seven calls, make 12 requests (first-load.test.tsx holds the calls).
const { readFileSync, existsSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { gzipSync } = require('node:zlib')

const FRAME = ['index', 'product', 'dashboard']
const PAGES = [
  { name: 'Landing', limit: 120, mostFiles: 1, chunks: ['index'] },
  { name: 'Sign In', limit: 200, mostFiles: 3, chunks: ['index', 'product', 'sign-in'] },
  { name: 'Dashboard', limit: 300, mostFiles: 4, chunks: [...FRAME, 'price-chart'] },
  { name: 'Bots', limit: 275, chunks: [...FRAME, 'bots-page'] },
  { name: 'Backtest', limit: 475, chunks: [...FRAME, 'backtest-page'] },
  { name: 'Data Center', limit: 475, chunks: [...FRAME, 'data-center-page'] },
  { name: 'Settings', limit: 475, chunks: [...FRAME, 'settings-sections'] },
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

for (const { name, limit, mostFiles = Infinity, chunks } of PAGES) {
  const files = filesOf(chunks)
  const kb = files.reduce((sum, file) => sum + gzippedKb(file), 0)
  const isTooMuch = kb > limit || files.length > mostFiles
  const verdict = isTooMuch ? ': too much' : ''
  const limits = mostFiles < Infinity ? `${limit} in ${mostFiles}` : limit
  process.stdout.write(`${name}: ${kb.toFixed(1)} kB in ${files.length} files, limit ${limits}${verdict}\n`)
  if (isTooMuch) process.exitCode = 1
}
