import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

const root = resolve(import.meta.dirname, '..')

/** The chunk that holds the module at `path`. */
function chunkOf(path: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk {
  const id = resolve(root, path)
  const found = chunks.find(({ moduleIds }) => moduleIds.includes(id))
  if (found === undefined) throw new Error(`The build has no chunk with ${path}`)
  return found
}

/** The files that `first` need, themselves first, without those that the page asks for anyway. */
function neededFiles(first: readonly string[], bundle: Rolldown.OutputBundle): string[] {
  const files = new Set(first)
  for (const file of files) {
    const output = bundle[file]
    if (output?.type === 'chunk') for (const imported of output.imports) files.add(imported)
  }
  return [...files].filter((file) => {
    const output = bundle[file]
    return output?.type === 'chunk' && !output.isEntry
  })
}

export interface RoutePage {
  /** Asked for at once, instead of by the code before it. */
  readonly modules: readonly string[]
  /** Drawn until React has drawn something; the page's code waits for it. */
  readonly frame: string
}

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/
/** Run by public/after-paint.js. */
const HELD_BACK = '<link rel="modulepreload" crossorigin data-entry href="$1">'

/** Beside index.html a page for each of `routes`, by the first part of its address: the same, with its code and frame. */
export const routePages = (routes: Readonly<Record<string, RoutePage>>): Plugin => ({
  name: 'route-pages',
  apply: 'build',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html']
    if (page?.type !== 'asset') throw new Error('The build has no index.html')
    const html = String(page.source)
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    for (const [name, { modules, frame }] of Object.entries(routes)) {
      const first = modules.map((path) => chunkOf(path, chunks).fileName)
      const links = neededFiles(first, bundle).map(
        (file) => `<link rel="modulepreload" crossorigin href="/${file}">\n    `,
      )
      const source = html
        .replace(/(?=<script type="module")/, links.join(''))
        .replace('<div id="root"></div>', (place) => place + frame)
        .replace(ENTRY, frame === '' ? '$&' : HELD_BACK)
      this.emitFile({ type: 'asset', fileName: `${name}.html`, source })
    }
  },
})
