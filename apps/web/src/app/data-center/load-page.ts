import { codeOf } from '#kit/ui/lazily.tsx'

/** The code of the pages of the Data Center, each a file of its own, by its part of the address. */
export const PAGE_CODE = {
  home: codeOf(async () => (await import('./home-page.tsx')).HomePage),
  models: codeOf(async () => (await import('../../features/models/page/model-page.tsx')).ModelPage),
  compare: codeOf(async () => (await import('../../features/models/compare/compare-page.tsx')).ComparePage),
  record: codeOf(async () => (await import('../../features/record/record-page.tsx')).RecordPage),
} as const

/** Asks for the code of the page at `path`, before it is known to be drawn. */
export function loadPage(path: string): Promise<unknown> {
  const name = (['models', 'compare', 'record'] as const).find((one) => one === path.split('/')[2]) ?? 'home'
  return PAGE_CODE[name].load()
}
