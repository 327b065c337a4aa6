import { REAL_MONEY_WORDS } from '@shapecast/contracts/real-bots'
import { TextField } from '#kit/ui/text-field.tsx'

/** Takes the words that a person writes before real money moves. */
export const RealMoneyWordsField = ({ value, onChange }: { value: string; onChange: (words: string) => void }) => (
  <TextField
    label={`Type ‘${REAL_MONEY_WORDS}’`}
    autoComplete="off"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
)

export const areRealMoneyWords = (typed: string): boolean => typed.trim().toLowerCase() === REAL_MONEY_WORDS
