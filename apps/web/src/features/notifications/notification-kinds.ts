import type { NotificationKind } from '@shapecast/contracts/notifications'
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
