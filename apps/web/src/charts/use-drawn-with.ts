import { useTimeZone } from '#kit/format/time-zone.ts'
import { useScheme } from '#kit/theme/scheme.ts'

/** What a canvas keeps of the page: its chart is made again when this changes. */
export const useDrawnWith = (): string => `${useScheme()} ${useTimeZone()}`
