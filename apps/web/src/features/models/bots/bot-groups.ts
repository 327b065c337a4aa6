import type { Bot } from '@shapecast/contracts/bots'
import { asksModels, versionsOf } from '#entities/bots/bot-words.ts'

type ModelsOf = Pick<Bot, 'strategy' | 'mlModelVersion' | 'mlModelVersions' | 'parameters'>

export interface BotGroup<B> {
  readonly key: string
  /** None: no model. One: a version. Several: an ensemble. */
  readonly versions: readonly string[]
  readonly bots: readonly B[]
}

/**
 * Bots by their model version: single versions in the order of `modelOrder` (unknown ones after them), then ensembles,
 * then bots without a model. One that follows the current model stands under it. Names in order within a group.
 */
export function groupBots<B extends ModelsOf & { name: string }>(
  bots: readonly B[],
  modelOrder: readonly string[],
  current: string | null,
): BotGroup<B>[] {
  const groups = new Map<string, { versions: readonly string[]; bots: B[] }>()
  for (const bot of bots) {
    const named = versionsOf(bot)
    const versions = named.length === 0 && asksModels(bot) && current !== null ? [current] : named
    const key = versions.join(' + ')
    const group = groups.get(key) ?? { versions, bots: [] }
    group.bots.push(bot)
    groups.set(key, group)
  }
  const rank = (versions: readonly string[]): number => {
    if (versions.length === 0) return modelOrder.length + 2
    if (versions.length > 1) return modelOrder.length + 1
    const place = modelOrder.indexOf(versions[0]!)
    return place === -1 ? modelOrder.length : place
  }
  return [...groups]
    .map(([key, { versions, bots: members }]) => ({
      key,
      versions,
      bots: members.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
    }))
    .sort((a, b) => rank(a.versions) - rank(b.versions) || a.key.localeCompare(b.key, 'en'))
}

/** The first `most` bots with the heads of their groups. */
export function firstBots<B>(groups: readonly BotGroup<B>[], most: number): BotGroup<B>[] {
  const shown: BotGroup<B>[] = []
  let left = most
  for (const group of groups) {
    if (left <= 0) break
    shown.push({ ...group, bots: group.bots.slice(0, left) })
    left -= group.bots.length
  }
  return shown
}
