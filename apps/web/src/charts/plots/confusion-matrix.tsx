import { formatCount } from '#kit/format/number.ts'
import { formatShareRatioShort } from '#kit/format/percent.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import css from './confusion-matrix.module.css'

/** Outcomes up, down, flat after a signal. */
type OutcomeCounts = readonly [up: number, down: number, flat: number]

export interface ConfusionMatrixProps {
  label: string
  rows: readonly { readonly signal: string; readonly counts: OutcomeCounts }[]
}

const OUTCOMES = ['up', 'down', 'flat'] as const

/** Signals by what came: counts, and the share of each signal's row, which shades the cell. */
export function ConfusionMatrix({ label, rows }: ConfusionMatrixProps) {
  return (
    <table aria-label={label} className={css.table}>
      <thead>
        <tr>
          <th scope="col">Signal</th>
          {OUTCOMES.map((outcome) => (
            <th key={outcome} scope="col" data-figure>
              then {outcome}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ signal, counts }) => {
          const all = counts[0] + counts[1] + counts[2]
          return (
            <tr key={signal}>
              <th scope="row">{signal}</th>
              {counts.map((count, i) => {
                const share = all === 0 ? 0 : count / all
                return (
                  <td key={OUTCOMES[i]} style={{ backgroundColor: tint(colors.accent, 0.34 * share) }}>
                    {formatCount(count)}
                    <span>{all === 0 ? '' : formatShareRatioShort(share)}</span>
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
