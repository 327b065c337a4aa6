import { formatCount } from '#kit/format/number.ts'
import { formatDateTimeYear } from '#kit/format/time.ts'
import { SwitchRow } from '#kit/ui/switch-row.tsx'
import type { ParametersControl } from './use-parameters.ts'

/** Leaves out what the model has seen: only the rest says how good it is. */
export function UnseenSwitch({
  control: { parameters, change, unseen, unseenFrom },
}: {
  control: Pick<ParametersControl, 'parameters' | 'change' | 'unseen' | 'unseenFrom'>
}) {
  return (
    <SwitchRow
      title="Unseen candles only"
      text={
        unseenFrom === null
          ? 'It is not known which candles were trained on.'
          : unseen === null
            ? `None in this range: the model has seen all up to ${formatDateTimeYear(unseenFrom)}.`
            : `${formatCount(unseen.candles)}, from ${formatDateTimeYear(unseen.range.fromMs)}`
      }
      warns={unseenFrom !== null && unseen === null}
      checked={parameters.unseenOnly && unseen !== null}
      disabled={unseen === null}
      onChange={(unseenOnly) => change({ unseenOnly })}
    />
  )
}
