'use strict'
// Set-up, then all tests of the sources beside those in the browser. The last line sums both up.
const { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { at, run, setUp } = require('./setup.cjs')

const node = setUp()
const reports = mkdtempSync(join(tmpdir(), 'shapecast-reports-'))
const total = { passed: 0, failed: 0, skipped: 0 }
let secondTries = 0

const filters = process.argv.slice(2)
const vitestReport = join(reports, 'vitest.json')
const vitestArgs = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`, ...filters]
const runs = [sourceTests]
if (filters.length === 0 && hasBrowserTests(at('e2e'))) runs.push(browserTests)
// Side by side: each waits half of its time, for databases, processes and pages.
let underWay = runs.length
for (const start of runs)
  start(() => {
    underWay -= 1
    if (underWay === 0) finish()
  })

function sourceTests(ended) {
  run(node, [at('node_modules', 'vitest', 'vitest.mjs'), ...vitestArgs], (code) => {
    add(code, 'the tests of the sources', countVitest(read(vitestReport)))
    ended()
  })
}

/** What they print follows when they have ended: two reports at once could not be read. */
function browserTests(ended) {
  const report = join(reports, 'playwright.json')
  const printed = join(reports, 'playwright.txt')
  const args = ['test', '-c', at('e2e', 'playwright.config.ts'), '--reporter=list,json']
  // Our Node reads TypeScript by itself: without this Playwright compiles all that the tests import, with Babel.
  const env = Object.assign({}, process.env, { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PW_DISABLE_TS_ESM: '1' })
  const output = openSync(printed, 'w')
  run(
    node,
    [at('node_modules', '@playwright', 'test', 'cli.js'), ...args],
    (code) => {
      process.stdout.write(readFileSync(printed))
      add(code, 'the browser tests', countPlaywright(read(report)))
      ended()
    },
    { env, stdio: ['ignore', output, output, 'ipc'] },
  )
}

function hasBrowserTests(folder) {
  if (!existsSync(join(folder, 'playwright.config.ts'))) return false
  return readdirSync(folder, { withFileTypes: true }).some((entry) =>
    entry.isDirectory()
      ? entry.name !== 'node_modules' && hasTests(join(folder, entry.name))
      : /\.(spec|test)\.ts$/.test(entry.name),
  )
}

function hasTests(folder) {
  return readdirSync(folder, { recursive: true }).some((name) => /\.(spec|test)\.ts$/.test(String(name)))
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

function countVitest(report) {
  if (report === null) return null
  // A file that cannot even be loaded has no tests to fail.
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

function countPlaywright(report) {
  if (report === null) return null
  const { expected, flaky, unexpected, skipped } = report.stats
  secondTries = flaky
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped }
}

/** A runner that ended badly without a failed test to show for it counts as one failure. */
function add(code, what, counts) {
  if (counts !== null) for (const key of Object.keys(total)) total[key] += counts[key]
  if (code !== 0 && (counts === null || counts.failed === 0)) {
    total.failed += 1
    process.stdout.write(`${what} ended with exit code ${code}\n`)
  }
}

function finish() {
  rmSync(reports, { recursive: true, force: true })
  if (secondTries > 0) process.stdout.write(`${secondTries} passed only at the second try: see "flaky" above\n`)
  if (total.skipped > 0) process.stdout.write(`${total.skipped} skipped\n`)
  process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`)
  process.exitCode = total.failed > 0 ? 1 : 0
}
