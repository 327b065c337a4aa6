/**
 * How often daily looks at a bot against holding call it better or worse, in percent: without an edge, and with a planted
 * Sharpe ratio, by years; and the median of years × squared ratio until they do. `node bench/evidence.ts [bots]`
 */
import { testDaily } from '@shapecast/engine/evidence/e-process'
import { createRandom, type Random } from '@shapecast/engine/random'

const BOTS = Number(process.argv[2] ?? 1000)
const YEAR_DAYS = 365.25
const KINDS = {
  normal: (random: Random) => random.normal(),
  t3: (random: Random) =>
    random.normal() / Math.sqrt((random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2) / 3),
  'skewed to gains': (random: Random) => -Math.log(1 - random.next()) - 1,
  'skewed to losses': (random: Random) => Math.log(1 - random.next()) + 1,
}

/** Years until each bot was called `what`, sorted; infinite where it never was. */
function yearsUntil(what: 'ahead' | 'behind', years: number, next: () => number): number[] {
  const found = Array.from({ length: BOTS }, () => {
    const { verdict, decidedAt } = testDaily(Float64Array.from({ length: years * YEAR_DAYS }, next))
    return verdict === what ? (decidedAt! + 1) / YEAR_DAYS : Number.POSITIVE_INFINITY
  })
  return found.sort((a, b) => a - b)
}
const within = (found: readonly number[], years: number): number =>
  (100 * found.filter((at) => at <= years).length) / BOTS

const random = createRandom(1)
for (const [kind, draw] of Object.entries(KINDS)) {
  const next = () => 0.01 * draw(random)
  const [ahead, behind] = (['ahead', 'behind'] as const).map((what) => within(yearsUntil(what, 5, next), 5))
  console.log(`no edge, ${kind}: ahead ${ahead!.toFixed(1)}, behind ${behind!.toFixed(1)} in 5 years`)
}
for (const sharpe of [1, 2, 3]) {
  const found = yearsUntil('ahead', sharpe === 1 ? 20 : 5, () => random.normal() + sharpe / Math.sqrt(YEAR_DAYS))
  const shares = [1, 3, 5].map((years) => within(found, years).toFixed(0)).join(' / ')
  const median = found[Math.floor(BOTS / 2)]! * sharpe ** 2
  console.log(`Sharpe ${sharpe}: ${shares} in 1 / 3 / 5 years; median × squared ratio ${median.toFixed(1)}`)
}
