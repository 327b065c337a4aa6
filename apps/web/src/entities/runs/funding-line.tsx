import type { MarketType } from '@shapecast/contracts/bots'
import { Note } from '#kit/ui/text.tsx'
import { fundingNote } from './funding-words.ts'

/** What one must know of the funding of a run; nothing on spot, and where all rates are known. */
export function FundingLine({ marketType, assumed }: { marketType: MarketType; assumed: number | null }) {
  const note = marketType === 'futures' ? fundingNote(assumed) : null
  return note === null ? null : <Note tone={note.caution ? 'warn' : undefined}>{note.text}</Note>
}
