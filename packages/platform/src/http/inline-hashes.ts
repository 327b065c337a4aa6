import { createHash } from 'node:crypto'

const PARTS = { script: /<script>(.*?)<\/script>/gs, style: /<style>(.*?)<\/style>/gs } as const

/** What a content security policy calls `text` that stands in a page: `'sha256-…'`. */
export const inlineHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The same of all scripts, or all styles, that stand in the page itself. */
export const inlineHashes = (html: string, part: keyof typeof PARTS): string[] =>
  Array.from(html.matchAll(PARTS[part]), ([, text]) => inlineHash(text!))
