import { codeOf } from '#kit/ui/lazily.tsx'

/** The code of the pages of the Data Center, each a file of its own. */
export const VIEW_CODE = {
  home: codeOf(async () => (await import('./home-page.tsx')).HomePage),
  model: codeOf(async () => (await import('../../features/models/page/model-page.tsx')).ModelPage),
  compare: codeOf(async () => (await import('../../features/models/compare/compare-page.tsx')).ComparePage),
  record: codeOf(async () => (await import('../../features/record/record-page.tsx')).RecordPage),
} as const

/**
 * Asks for the code of the page that an address's query names, before it is known to be drawn. By the name alone: to
 * read the rest (`viewOf`) takes code that the first file of every page would have to bring along.
 */
export function loadView(query: string): Promise<unknown> {
  const names = new URLSearchParams(query)
  const view = (['model', 'compare', 'record'] as const).find((name) => names.has(name)) ?? 'home'
  return VIEW_CODE[view].load()
}
