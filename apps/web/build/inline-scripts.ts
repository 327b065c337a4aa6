import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

const PUBLIC = resolve(import.meta.dirname, '../public')

/** Puts the page's plain scripts of public/ into the page itself, which saves the first paint a request. */
export const inlineScripts = (): Plugin => ({
  name: 'inline-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(/<script src="(\/[^"]+)"><\/script>/g, (_, path: string) => {
        return `<script>${readFileSync(resolve(PUBLIC, `.${path}`), 'utf8')}</script>`
      }),
  },
})
