'use strict'
// The services on 3000 and 4000, started again at every change, and Vite in front of them with reload.
const { at, endWithNpm, run, setUp } = require('./setup.cjs')

const node = setUp({ web: false })
const parts = [
  run(node, ['--watch', '--watch-preserve-output', at('apps', 'shapecast', 'src', 'main.ts')], stop, {
    stdio: 'inherit',
  }),
  run(node, [at('node_modules', 'vite', 'bin', 'vite.js')], stop, { cwd: at('apps', 'web'), stdio: 'inherit' }),
]
parts.forEach(endWithNpm)

let left = parts.length
function stop(code) {
  for (const part of parts) if (part.exitCode === null) part.kill('SIGTERM')
  left -= 1
  if (left === 0) process.exit(code)
}
