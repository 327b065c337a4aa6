/** The code of the pages of the Data Center, each a file of its own. */
export const VIEW_CODE = {
  home: async () => ({ default: (await import('./home-page.tsx')).HomePage }),
  model: async () => ({ default: (await import('../../features/models/page/model-page.tsx')).ModelPage }),
  compare: async () => ({ default: (await import('../../features/models/compare/compare-page.tsx')).ComparePage }),
  record: async () => ({ default: (await import('../../features/record/record-page.tsx')).RecordPage }),
} as const

/**
 * Asks for the code of the page that an address's query names, before it is known to be drawn. By the name alone: to
 * read the rest (`viewOf`) takes code that the first file of every page would have to bring along.
 */
export function loadView(query: string): void {
  const names = new URLSearchParams(query)
  const view = (['model', 'compare', 'record'] as const).find((name) => names.has(name)) ?? 'home'
  // What fails is asked for again, and reported, when it is drawn.
  VIEW_CODE[view]().catch(() => undefined)
}
