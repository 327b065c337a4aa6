import type { Activity } from '@shapecast/contracts/activities'
import { paths } from '#routes/paths.ts'

const VERBS: Readonly<Record<string, string>> = {
  'task.created': 'proposed',
  'task.moved': 'moved',
  'task.prioritised': 'set the priority of',
  'task.deleted': 'deleted',
  'task.restored': 'restored',
  'bot.created': 'created the bot',
  'bot.deleted': 'deleted the bot',
  'bot.started': 'started',
  'bot.paused': 'paused',
  'bot.stopped': 'stopped',
  'bot.reset': 'reset',
  'bot.traded': 'closed a trade',
  'bot.halted': 'paused by itself',
  'bot.failed': 'stopped with an error',
  'backtest.finished': 'ran a backtest of',
  'model.trained': 'trained',
  'model.uploaded': 'uploaded',
  'model.promoted': 'promoted',
  'model.stage_changed': 'moved',
}

const words = (text: string): string => text.replaceAll(/[._]/g, ' ')

/** What was done, between who did it and what it was done to; and the words after that. */
export function activityWords({ action, detail }: Activity): { verb: string; after: string } {
  if (action === 'vote.cast') return { verb: detail === 'against' ? 'voted against' : 'voted for', after: '' }
  if (action === 'user.registered') return { verb: 'joined', after: '' }
  const verb = VERBS[action] ?? words(action)
  if (detail === null) return { verb, after: '' }
  const isMove = action === 'task.moved' || action === 'model.stage_changed' || action === 'task.prioritised'
  return { verb, after: isMove ? `to ${words(detail)}` : `· ${detail}` }
}

/** Where an activity leads; null where there is nothing to open. */
export function linkOf({ type, subject, action }: Activity): string | null {
  if (action.endsWith('.deleted')) return null
  switch (type) {
    case 'task':
      return paths.task(subject.id)
    case 'bot':
      return paths.bot(subject.id)
    case 'model':
      return paths.model(subject.id)
    case 'backtest':
      return paths.run(subject.id)
    case 'user':
      return null
    default:
      return type satisfies never
  }
}
