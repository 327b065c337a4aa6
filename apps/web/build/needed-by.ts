import { resolve } from 'node:path'

/** What the bundler knows of a module, as far as it is asked here. */
interface Modules {
  getModuleInfo(id: string): { code: string | null; importedIds: string[] } | null
}
type Tier = readonly [name: string, entries: readonly string[]]

const root = resolve(import.meta.dirname, '..')
const ICONS = /node_modules\/lucide-react\/dist\/esm\/lucide-react\.mjs$/
const BARREL = /node_modules\/@mui\/material\/index\.mjs$/
const BARREL_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']@mui\/material["']/g

/** The modules that `id` imports; of MUI's one big file only those whose names it says. */
function importsOf(id: string, modules: Modules): string[] {
  const info = modules.getModuleInfo(id)
  if (info === null) return []
  return info.importedIds.flatMap((imported) => {
    if (ICONS.test(imported)) return []
    if (!BARREL.test(imported)) return [imported]
    const folder = imported.slice(0, -'index.mjs'.length)
    return [...(info.code ?? '').matchAll(BARREL_IMPORT)]
      .flatMap(([, names]) => names!.split(','))
      .map((name) => name.trim().split(' ')[0]!)
      .filter((name) => name !== '')
      .map((name) => `${folder}${name}/${name}.mjs`)
  })
}

/**
 * Chunks of what is needed together: a module belongs to the first tier whose entries need it. What an entry asks for
 * with `import()` is not among that.
 */
export function neededBy(tiers: readonly Tier[]) {
  let tierOf: Map<string, string> | null = null
  function sorted(modules: Modules): Map<string, string> {
    const found = new Map<string, string>()
    for (const [name, entries] of tiers) {
      const open = entries.map((entry) => resolve(root, entry))
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next)) continue
        found.set(next, name)
        open.push(...importsOf(next, modules))
      }
    }
    return found
  }
  return tiers.map(([name], i) => ({
    name(id: string, modules: Modules) {
      tierOf ??= sorted(modules)
      return tierOf.get(id) === name ? name : null
    },
    // With a chunk goes what it needs, as far as no chunk before it has it.
    priority: 19 - i,
  }))
}
