import { formatCount } from '../../../shared/format/number.ts'
import { formatDateTimeYear } from '../../../shared/format/time.ts'
import { SwitchRow } from '../../../shared/ui/switch-row.tsx'
import type { ParametersControl } from './use-parameters.ts'

/** Leaves out what the model has seen: only the rest says how good it is. */
export function UnseenSwitch({
  control: { parameters, change, unseen, unseenFrom },
}: {
  control: Pick<ParametersControl, 'parameters' | 'change' | 'unseen' | 'unseenFrom'>
}) {
  if (unseenFrom === null) return null
  return (
    <SwitchRow
      title="Unseen candles only"
      text={
        unseen === null
          ? `None in this range: the model has seen all up to ${formatDateTimeYear(unseenFrom)}.`
          : `${formatCount(unseen.candles)}, from ${formatDateTimeYear(unseen.range.fromMs)}`
      }
      warns={unseen === null}
      checked={parameters.unseenOnly && unseen !== null}
      disabled={unseen === null}
      onChange={(unseenOnly) => change({ unseenOnly })}
    />
  )
}
