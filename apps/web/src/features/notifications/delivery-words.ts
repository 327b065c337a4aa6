import { type Delivery, MOST_TRIES } from '@shapecast/contracts/notifications'
import { formatHour, zoneWords } from '#kit/format/time.ts'

/** The last answer to a message, and what comes next. */
export function answerWords({ kind, state, tries, answer, nextTryAt }: Delivery): string {
  if (state === 'delivered') return tries > 1 ? `${answer ?? 'Delivered'}, at try ${tries}` : (answer ?? 'Delivered')
  if (state === 'failed') return `${answer ?? 'No answer'}, given up after ${tries} of ${MOST_TRIES} tries`
  const next = nextTryAt === null ? 'soon' : `at ${formatHour(nextTryAt)} ${zoneWords()}`
  if (tries === 0 && kind === 'quiet') return `Waits for the end of your quiet hours, ${next}`
  return tries === 0 ? 'Waiting to be sent' : `${answer ?? 'No answer'}, ${tries} of ${MOST_TRIES} tries; next ${next}`
}
