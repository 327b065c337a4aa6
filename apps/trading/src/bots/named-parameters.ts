import type { BotParameters } from '@shapecast/contracts/bots'
import type { Orm } from '@shapecast/platform/database/database'
import type { Viewer } from '../ground/ownership.ts'
import { nameOrigin } from '../rules/rule-service.ts'

/**
 * A bot's parameters with the name of the stored rule that they say they are of. An origin that the bot had before stays
 * as it was: its rule may be deleted by now.
 */
export async function namedParameters<P extends BotParameters | null>(
  orm: Orm,
  parameters: P,
  viewer: Viewer,
  before: BotParameters | null = null,
): Promise<P> {
  const { rule, ruleOrigin } = parameters ?? {}
  if (ruleOrigin === undefined) return parameters
  const had = before?.ruleOrigin
  const isKept = had?.id === ruleOrigin.id && had.version === ruleOrigin.version && before?.rule === rule
  const named = isKept ? had : await nameOrigin(orm, ruleOrigin, { text: rule, field: 'parameters.ruleOrigin' }, viewer)
  return { ...parameters, ruleOrigin: named }
}
