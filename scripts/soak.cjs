// What only shows over a long time: npm run soak bots [minutes] [seed] [virtual|real], feed [symbols] [days] [minutes a second],
// record [hours] [seed]. npm test runs each for some seconds.
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')

const SOAKS = { bots: 'bot-soak.ts', feed: 'feed-soak.ts', record: 'record-soak.ts' }
const [name = '', ...rest] = process.argv.slice(2)
if (SOAKS[name] === undefined) {
  console.error(`There is no soak called "${name}". There is: ${Object.keys(SOAKS).join(', ')}.`)
  process.exit(2)
}
const { status } = spawnSync('node', [join(__dirname, '../bench', SOAKS[name]), ...rest], { stdio: 'inherit' })
process.exit(status ?? 1)
