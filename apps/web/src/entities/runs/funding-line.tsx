import type { MarketType } from '@shapecast/contracts/bots'
import { formatSharePct } from '#kit/format/percent.ts'
import { Note } from '#kit/ui/primitives.tsx'

/** Above this share of assumed funding a net result is not judged. */
const MOST_ASSUMED = 0.05

/** What one must know of the funding of a futures run; null where all of it is known. `assumed`: 0–1, null where none was charged. */
export function fundingNote(assumed: number | null): { text: string; caution: boolean } | null {
  if (assumed === 0) return null
  if (assumed === null)
    return {
      text: 'No funding rates are stored for this symbol: funding is left out. Bring them in on the Data Center page.',
      caution: false,
    }
  const caution = assumed > MOST_ASSUMED
  const share = `Funding was unknown for ${formatSharePct(100 * assumed)} of the time a position was held: 0.01% every 8 hours is charged there, to either side.`
  return { text: caution ? `${share} That is too much to judge the net result.` : share, caution }
}

/** What one must know of the funding of a run; nothing on spot, and where all rates are known. */
export function FundingLine({ marketType, assumed }: { marketType: MarketType; assumed: number | null }) {
  const note = marketType === 'futures' ? fundingNote(assumed) : null
  return note === null ? null : <Note tone={note.caution ? 'warn' : undefined}>{note.text}</Note>
}
