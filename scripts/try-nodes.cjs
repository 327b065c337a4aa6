#!/usr/bin/env node
'use strict'
// Starts a fresh clone of the last commit under older Nodes and npms, from the registry's own packages, and asks for its
// page. Prints a line for each pair, and ends with 1 where one did not start. Takes minutes for each pair.
//
//   node scripts/try-nodes.cjs [NODE:NPM …]      such as 18.20.8:10

const { execFileSync, spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { root, say } = require('./setup.cjs')

/** An npm runs on some Nodes only: npm 11 on 20.17 and 22.9 and newer. */
const PAIRS = ['18.20.8:9', '18.20.8:10', '20.11.1:9', '20.11.1:10', '22.11.0:9', '22.11.0:10', '22.11.0:11']
PAIRS.push('24.18.0:9', '24.18.0:10', '24.18.0:11')
const READY_MS = 20 * 60_000

async function main() {
  const pairs = process.argv.length > 2 ? process.argv.slice(2) : PAIRS
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shapecast-nodes-'))
  let failed = 0
  try {
    for (const pair of pairs) {
      const beganMs = Date.now()
      const [node, npm] = pair.split(':')
      const trouble = await tryPair(path.join(folder, pair.replace(':', '-')), node, npm).catch(
        (error) => error.message,
      )
      const took = `${Math.round((Date.now() - beganMs) / 1000)} s`
      process.stdout.write(`Node ${node}, npm ${npm}: ${trouble === null ? `starts, ${took}` : `FAILS, ${trouble}`}\n`)
      if (trouble !== null) failed += 1
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
  process.exitCode = failed === 0 ? 0 : 1
}

/** What went wrong; null where it started and showed its page. */
async function tryPair(folder, node, npm) {
  const tools = path.join(folder, 'tools')
  const clone = path.join(folder, 'clone')
  fs.mkdirSync(tools, { recursive: true })
  const windows = process.platform === 'win32'
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--prefix', tools]
  args.push(`node-${process.platform}-${process.arch}@${node}`, `npm@${npm}`)
  execFileSync(windows ? 'npm.cmd' : 'npm', args, { stdio: ['ignore', 2, 2], cwd: tools, shell: windows })
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: ['ignore', 2, 2] })
  const bin = path.join(tools, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  const cli = path.join(tools, 'node_modules', 'npm', 'bin', 'npm-cli.js')
  const { HOME, TMPDIR } = process.env
  const settings = { MARKET: 'simulated', WORKERS: '1', PORT: '0', TRADING_PORT: '', SOCIAL_PORT: '' }
  // Without node_modules/.bin of this project in the way.
  const others = (process.env.PATH || '').split(path.delimiter).filter((one) => !one.includes('node_modules'))
  const env = { HOME, ...(TMPDIR && { TMPDIR }), ...settings, PATH: [bin, ...others].join(path.delimiter) }
  const child = spawn(path.join(bin, windows ? 'node.exe' : 'node'), [cli, 'start'], {
    cwd: clone,
    env,
    detached: !windows,
  })
  let said = ''
  const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)))
  // An npm 9 passes no signal on, so all of them get it, as they do at Ctrl-C.
  const stop = (signal) => (windows ? child.kill(signal) : process.kill(-child.pid, signal))
  const timer = setTimeout(() => stop('SIGKILL'), READY_MS)
  const ready = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        said += data
        const found = /Shapecast is ready at (\S+)/.exec(said)
        if (found !== null) resolve(found[1])
      })
  })
  const address = await Promise.race([ready, ended.then(() => null)])
  clearTimeout(timer)
  if (address === null) return `it said:\n${said.trim().split('\n').slice(-15).join('\n')}`
  const page = await fetch(address)
  const text = await page.text()
  stop('SIGTERM')
  await ended
  return page.status === 200 && text.includes('<script') ? null : `its page is ${page.status}`
}

main().catch((error) => {
  say(String(error.stack || error))
  process.exitCode = 1
})
