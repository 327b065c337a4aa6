import { type Delivery, MOST_TRIES, type NotificationKind } from '@shapecast/contracts/notifications'
import {
  ArrowLeftRight,
  BellRing,
  Bot,
  CircleX,
  Cpu,
  type LucideIcon,
  MessageSquare,
  OctagonPause,
  Scale,
  ShieldCheck,
} from 'lucide-react'
import { formatHour, zoneWords } from '#kit/format/time.ts'

export interface KindWords {
  readonly label: string
  /** What is told of, in a line. */
  readonly about: string
  readonly icon: LucideIcon
}

export const KINDS: Readonly<Record<NotificationKind, KindWords>> = {
  fill: { label: 'Fills', about: 'A bot opened or closed a position', icon: ArrowLeftRight },
  alert: { label: 'Alerts', about: 'What you asked to be told of: a price, a signal, silence', icon: BellRing },
  halt: { label: 'Halts', about: 'Drawdown limit, liquidation, exchange halt, kill switch', icon: OctagonPause },
  error: { label: 'Errors', about: 'A bot stopped by itself, or an order was refused', icon: CircleX },
  evidence: { label: 'Evidence', about: 'A bot is told from luck, for or against', icon: Scale },
  job: { label: 'Finished jobs', about: 'Training, backtest, download, import', icon: Cpu },
  model: { label: 'Model changes', about: 'A model that your bots use became worse or was replaced', icon: Bot },
  task: { label: 'Tasks', about: 'Votes and comments on your tasks, status changes', icon: MessageSquare },
  security: { label: 'Security', about: 'Sign-in on a new device, password or two-factor changed', icon: ShieldCheck },
}

/** The last answer to a message, and what comes next. */
export function answerWords({ kind, state, tries, answer, nextTryAt }: Delivery): string {
  if (state === 'delivered') return tries > 1 ? `${answer ?? 'Delivered'}, at try ${tries}` : (answer ?? 'Delivered')
  if (state === 'failed') return `${answer ?? 'No answer'}, given up after ${tries} of ${MOST_TRIES} tries`
  const next = nextTryAt === null ? 'soon' : `at ${formatHour(nextTryAt)} ${zoneWords()}`
  if (tries === 0 && kind === 'quiet') return `Waits for the end of your quiet hours, ${next}`
  return tries === 0 ? 'Waiting to be sent' : `${answer ?? 'No answer'}, ${tries} of ${MOST_TRIES} tries; next ${next}`
}
