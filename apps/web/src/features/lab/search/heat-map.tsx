import type { SearchResult } from '@shapecast/contracts/search'
import { useState } from 'react'
import { formatFixed } from '#kit/format/number.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Note } from '#kit/ui/primitives.tsx'
import { SelectField } from '#kit/ui/select-field.tsx'
import { ToggleGroup } from '#kit/ui/toggle-group.tsx'
import css from './search-page.module.css'

const LIGHTEST = 0.06
const DARKEST = 0.6

/** The Sharpe ratio over two parameters: grey, hatched below 0, an amber ring around the best. */
export function HeatMap({ result }: { result: SearchResult }) {
  const { parameters, points, best } = result
  const [axes, setAxes] = useState([0, 1])
  const [down, across] = axes as [number, number]
  const [by, setBy] = useState<'median' | 'best'>('median')
  const cells = heatCells(result, down, across, by)
  const known = cells.flat().filter((sharpe) => sharpe !== null)
  const [low, high] = [Math.max(0, Math.min(...known)), Math.max(...known)]
  const chosen = points.choices[best.point]!
  const options = parameters.map(({ label }, k) => ({ value: String(k), label }))
  return (
    <Card
      title="Two parameters"
      facts={`Sharpe on the searched part, each cell the ${by} of its combinations`}
      actions={
        <ToggleGroup
          label="Each cell is"
          size="small"
          value={by}
          onChange={setBy}
          choices={{ median: 'Median', best: 'Best' }}
        />
      }
    >
      <Column gap={1.5}>
        <div className={layout.halves}>
          {['Down', 'Across'].map((label, at) => (
            <SelectField
              key={label}
              label={label}
              value={String(axes[at])}
              options={options}
              // The two are never the same.
              onChange={(k) => setAxes(Number(k) === axes[1 - at] ? axes.toReversed() : axes.with(at, Number(k)))}
            />
          ))}
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
        <section className={css.scroll} tabIndex={0} aria-label="Sharpe ratio by two parameters">
          <table className={css.heat} style={{ minWidth: 56 + 34 * parameters[across]!.values.length }}>
            <tbody>
              {cells.map((row, d) => (
                <tr key={parameters[down]!.values[d]}>
                  <th scope="row">{parameters[down]!.values[d]}</th>
                  {row.map((sharpe, a) => (
                    <td
                      key={parameters[across]!.values[a]}
                      {...look(sharpe, low, high)}
                      {...(chosen[down] === d && chosen[across] === a && { 'data-best': true })}
                    >
                      {formatFixed(sharpe, 1)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">
                  <Note as="span">
                    {parameters[down]!.label} ↓ {parameters[across]!.label} →
                  </Note>
                </th>
                {parameters[across]!.values.map((value) => (
                  <th key={value} scope="col">
                    {value}
                  </th>
                ))}
              </tr>
            </tfoot>
          </table>
        </section>
        <Note>
          Neighbours look alike because they make nearly the same trades; they are not independent evidence. The amber
          ring is the best. Hatched: below 0.
        </Note>
      </Column>
    </Card>
  )
}

function look(sharpe: number | null, low: number, high: number) {
  if (sharpe === null) return {}
  if (sharpe < 0) return { 'data-below': true }
  const share = high > low ? (sharpe - low) / (high - low) : 0
  const strength = LIGHTEST + (DARKEST - LIGHTEST) * Math.max(0, share)
  return { style: { backgroundColor: tint(colors.text3, strength) } }
}

/** The median of sorted values, or the largest; null of none. */
function chosenOf(sorted: readonly number[], by: 'median' | 'best'): number | null {
  if (by === 'best' || sorted.length === 0) return sorted.at(-1) ?? null
  const half = (sorted.length - 1) / 2
  return (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2
}

/**
 * Row by row of the values of one parameter, across those of another: the median of the combinations, or the best; null
 * where none had enough trades.
 */
export function heatCells(
  { parameters, points }: Pick<SearchResult, 'parameters' | 'points'>,
  down: number,
  across: number,
  by: 'median' | 'best',
): (number | null)[][] {
  const found = parameters[down]!.values.map(() => parameters[across]!.values.map(() => [] as number[]))
  for (const [k, choices] of points.choices.entries()) {
    const sharpe = points.sharpe[k]
    if (sharpe != null) found[choices[down]!]![choices[across]!]!.push(sharpe)
  }
  return found.map((row) =>
    row.map((sharpes) =>
      chosenOf(
        sharpes.sort((a, b) => a - b),
        by,
      ),
    ),
  )
}

/** The points with enough trades by their Sharpe ratio, the best first. */
export const rankedPoints = ({ points }: Pick<SearchResult, 'points'>): number[] =>
  points.sharpe
    .flatMap((sharpe, k) => (sharpe === null ? [] : [{ sharpe, k }]))
    .sort((a, b) => b.sharpe - a.sharpe || a.k - b.k)
    .map(({ k }) => k)
