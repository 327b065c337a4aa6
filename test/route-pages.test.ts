import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { routePages } from '../apps/web/build/route-pages.ts'

const HTML = '<head><script type="module" src="/assets/index.js"></script></head><body><div id="root"></div></body>'
const chunk = (fileName: string, imports: readonly string[], modules: readonly string[] = []) => ({
  type: 'chunk',
  fileName,
  imports,
  isEntry: fileName === 'index.js',
  moduleIds: modules.map((path) => resolve(import.meta.dirname, '../apps/web', path)),
})

it('makes a page of each route that asks for its code at once, and shows the frame where one is wanted', () => {
  const emitted: { fileName: string; source: string }[] = []
  const plugin = routePages({
    trading: { modules: ['src/bots.tsx'], frame: '<div id="frame"></div>' },
    login: { modules: ['src/login.tsx'], frame: '' },
  })
  const bundle = {
    'index.html': { type: 'asset', source: HTML },
    'index.js': chunk('index.js', []),
    'shared.js': chunk('shared.js', ['index.js']),
    'bots.js': chunk('bots.js', ['shared.js', 'index.js'], ['src/bots.tsx']),
    'login.js': chunk('login.js', ['index.js'], ['src/login.tsx']),
  }
  const generate = plugin.generateBundle as (this: object, options: object, bundle: object) => void
  generate.call({ emitFile: (file: { fileName: string; source: string }) => emitted.push(file) }, {}, bundle)
  const asked = (source: string) =>
    [...source.matchAll(/rel="modulepreload" crossorigin href="([^"]+)"/g)].map((m) => m[1])
  expect(emitted.map(({ fileName, source }) => [fileName, asked(source), source.includes('frame')])).toEqual([
    ['trading.html', ['/bots.js', '/shared.js'], true],
    ['login.html', ['/login.js'], false],
  ])
})
