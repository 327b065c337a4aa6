import type { Evaluation, ModelVerdict } from '@shapecast/contracts/evaluation'
import { formatShareRatio } from '#kit/format/percent.ts'

type FanPoint = Pick<Evaluation['fan'][number], 'horizon' | 'coverage90'>

/** Whether the range held as often as it promises, in a sentence. */
export function fanVerdict(fan: readonly FanPoint[], { code, offHorizons }: ModelVerdict['fan']): string {
  const [first] = fan
  const last = fan.at(-1)
  if (first === undefined || last === undefined) return 'The range was not judged.'
  const held =
    first === last
      ? `The 90% range held ${formatShareRatio(first.coverage90)} of what came ${ahead(first.horizon)}`
      : `The 90% range held ${formatShareRatio(first.coverage90)} of what came ${ahead(first.horizon)} and ${formatShareRatio(last.coverage90)} ${ahead(last.horizon)}`
  if (code === 'kept_promise') return `${held}: as promised.`
  const off = code === 'too_narrow' ? 'too narrow' : code === 'too_wide' ? 'too wide' : 'not as promised'
  return `${held}: ${off} at ${offHorizons.join(', ')} ahead.`
}

const ahead = (horizon: number) => (horizon === 1 ? 'one candle ahead' : `${horizon} candles ahead`)

const SKILL: Readonly<Record<ModelVerdict['skill'], string>> = {
  both: 'It is sharper than a rolling volatility and than a range that never changes.',
  ewma: 'It is sharper than a rolling volatility, but not than a range that never changes.',
  historical: 'It is no better than a rolling volatility, only than a range that never changes.',
  neither: 'It is no better than either simple rule.',
}

/** Which simple ranges it is sharper than, in a sentence. */
export const skillVerdict = (skill: ModelVerdict['skill']): string => SKILL[skill]
