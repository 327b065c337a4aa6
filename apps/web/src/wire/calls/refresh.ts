import { usePageVisible } from '#kit/ui/page-visibility.ts'

const REFRESH_MS = 30_000

/** How often models, bots and indicators are asked for again; not at all while the page is hidden. */
export const useRefreshMs = (): number | false => usePageVisible() && REFRESH_MS
