'use strict'
// npm run screenshots [folder] [name …]: a picture of every screen in each state, or of those that are named
// (e2e/screens.ts), at 1440 and 360 px, dark and light.
const { resolve } = require('node:path')
const { at, run, setUp } = require('./setup.cjs')

const node = setUp()
const [, , path = at('screenshots'), ...names] = process.argv
const folder = resolve(path)
const screens = names.length === 0 ? {} : { SCREENS: names.join(' ') }
const args = ['test', '-c', at('e2e', 'playwright.config.ts'), 'all-screens.spec.ts', '--reporter=list']
run(
  node,
  [at('node_modules', '@playwright', 'test', 'cli.js'), ...args],
  (code) => {
    process.stdout.write(`The pictures are in ${folder}\n`)
    process.exitCode = code
  },
  { env: Object.assign({}, process.env, { SCREENSHOTS: folder }, screens) },
)
