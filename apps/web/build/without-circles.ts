import type { Plugin } from 'vite'

/** Ends the build where two files need each other: one of them would run before what it needs is there. */
export const withoutCircles = (): Plugin => ({
  name: 'without-circles',
  generateBundle(_, bundle) {
    const isFree = new Set<string>()
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) this.error(`Files of the build need each other: ${[...way, file].join(' > ')}`)
      const chunk = bundle[file]
      if (isFree.has(file) || chunk?.type !== 'chunk') return
      for (const next of chunk.imports) visit(next, [...way, file])
      isFree.add(file)
    }
    for (const file of Object.keys(bundle)) visit(file, [])
  },
})
