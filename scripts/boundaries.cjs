/**
 * Checks who imports whom: the rules of .dependency-cruiser.cjs, and that no folder imports in a circle with another.
 * `node scripts/boundaries.cjs [FOLDER]` checks the project that stands in FOLDER (this one) and fails where it finds something.
 */
const { spawnSync } = require('node:child_process')
const { dirname, resolve } = require('node:path')

/** Tests may import what they like. */
const APART = /\.test\.tsx?$|\/testing\/|^apps\/[^/]+\/test\/|^e2e\/|node_modules/

/** For each folder the folders that its files import, with one import of each pair as an example. */
function foldersOf(modules) {
  const folders = new Map()
  for (const { source, dependencies } of modules) {
    if (APART.test(source)) continue
    const from = dirname(source)
    for (const { resolved } of dependencies) {
      const to = dirname(resolved)
      if (to === from || APART.test(resolved) || !/^(packages|apps|bench)\//.test(resolved)) continue
      if (!folders.has(from)) folders.set(from, new Map())
      folders.get(from).set(to, `${source} → ${resolved}`)
    }
  }
  return folders
}

const reached = (folders, from) => {
  const seen = new Set()
  const open = [from]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const next of folders.get(folder)?.keys() ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        open.push(next)
      }
  return seen
}

/** The sets of folders that import each other in a circle, by way of others too, as lines to print. */
function folderCircles(modules) {
  const folders = foldersOf(modules)
  const reach = new Map([...folders.keys()].map((folder) => [folder, reached(folders, folder)]))
  const named = new Set()
  const circles = []
  for (const folder of reach.keys()) {
    if (named.has(folder) || !reach.get(folder).has(folder)) continue
    const circle = [...reach.keys()].filter((other) => reach.get(folder).has(other) && reach.get(other).has(folder))
    for (const member of circle) named.add(member)
    const joins = circle.flatMap((from) =>
      circle.filter((to) => folders.get(from).has(to)).map((to) => `    ${folders.get(from).get(to)}`),
    )
    circles.push([`folders in a circle: ${circle.join(', ')}`, ...joins].join('\n'))
  }
  return circles
}

/** What dependency-cruiser says of the project in a folder: its modules, and the violations of the rules there. */
function cruise(folder) {
  const cruiser = resolve(__dirname, '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const rules = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  const run = spawnSync(process.execPath, [cruiser, 'packages', 'apps', 'bench', 'e2e', ...rules], {
    cwd: folder,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  if (run.stdout === '') throw new Error(run.stderr)
  const { modules, summary } = JSON.parse(run.stdout)
  return { modules, violations: summary.violations }
}

const { modules, violations } = cruise(resolve(process.argv[2] ?? resolve(__dirname, '..')))
const said = [...violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`), ...folderCircles(modules)]
for (const line of said) console.error(line)
console.log(`${modules.length} modules, ${said.length} violations`)
process.exitCode = said.length === 0 ? 0 : 1
