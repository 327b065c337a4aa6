import { lstatSync } from 'node:fs'
import { enableCompileCache, type ResolveFnOutput, registerHooks } from 'node:module'
import { join } from 'node:path'

// Where it may not write there, each start compiles everything.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compile'))

const known = new Map<string, ResolveFnOutput>()
/** Of a folder and a file name's ending: its modules' format, where a package says so and no link leads there. */
const formats = new Map<string, string>()

/**
 * Imported first, it has every import of a package resolved once, and one of a file by its folder's format. Node parses a
 * package's whole list of exports for each import inside of it: 130 kB for each of some 700 in drizzle-orm, a third of the
 * processor time of a start.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL, conditions, importAttributes } = context
    const isPlain = parentURL !== undefined && !conditions.includes('require') && !('type' in importAttributes)
    if (!isPlain) return next(specifier, context)
    const isFile = specifier.startsWith('.')
    const key = isFile ? new URL(specifier, parentURL).href : `${homeOf(parentURL)} ${specifier}`
    let resolved = known.get(key)
    if (resolved === undefined) {
      resolved = (isFile ? byFolder(key) : null) ?? { ...next(specifier, context), shortCircuit: true }
      known.set(key, resolved)
      if (resolved.url === key && resolved.format?.startsWith('module')) formats.set(kindOf(key), resolved.format)
    }
    return resolved
  },
})

function byFolder(url: string): ResolveFnOutput | null {
  const format = formats.get(kindOf(url))
  const isThere = format !== undefined && lstatSync(new URL(url), { throwIfNoEntry: false })?.isFile()
  return isThere ? { url, format, shortCircuit: true } : null
}

const kindOf = (url: string) => `${url.slice(0, url.lastIndexOf('/') + 1)} ${url.slice(url.lastIndexOf('.'))}`

/** The folder whose imports of packages all lead to the same: a package of ours, or the folder of a file of another. */
function homeOf(url: string): string {
  const end = url.includes('/node_modules/') ? -1 : url.lastIndexOf('/src/')
  return url.slice(0, (end < 0 ? url.lastIndexOf('/') : end) + 1)
}
