import type { Bot } from '@shapecast/contracts/bots'
import { formatCounted } from '../format/number.ts'

/** The model versions that a bot asks: none, one, or those of an ensemble. */
export function versionsOf({
  strategy,
  mlModelVersion,
  mlModelVersions,
}: Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions'>): readonly string[] {
  if (strategy !== 'ml') return []
  if (mlModelVersions !== null && mlModelVersions.length > 0) return mlModelVersions
  return mlModelVersion === null ? [] : [mlModelVersion]
}

/** `ML v3.1`, `ML 3 models`, `OpenAI`. */
export function strategyWords(bot: Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions'>): string {
  if (bot.strategy === 'openai') return 'OpenAI'
  const versions = versionsOf(bot)
  if (versions.length > 1) return `ML ${formatCounted(versions.length, 'model')}`
  return versions[0] === undefined ? 'ML' : `ML ${versions[0]}`
}

/** The first `most` pairs, and how many more there are: `BTCUSDT, ETHUSDT +2`. */
export const pairWords = (pairs: readonly string[], most: number): string =>
  `${pairs.slice(0, most).join(', ')}${pairs.length > most ? ` +${pairs.length - most}` : ''}`

/** Return of a bot since it was created, percent. */
export const returnPct = ({ initialBalance, currentBalance }: Pick<Bot, 'initialBalance' | 'currentBalance'>): number =>
  (currentBalance / initialBalance - 1) * 100
