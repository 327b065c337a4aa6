import type { FeatureDrift, FeatureShift } from '@shapecast/contracts/drift'
import { formatRatio } from '#kit/format/number.ts'
import { colors, tint } from '#kit/theme/tokens.ts'
import layout from '#kit/ui/layout.module.css'
import { Text } from '#kit/ui/primitives.tsx'
import css from './shift-list.module.css'

const SHOWN = 6
/** Below this a feature counts as stable, whatever chance shows. */
const STABLE_BELOW = 0.1

/** The index as a bar, the band of chance as a shade that it has to leave. */
function ShiftBar({ shift, most }: { shift: FeatureShift; most: number }) {
  const bound = Math.max(STABLE_BELOW, shift.chanceBand)
  const width = (value: number) => `${Math.min(100, (100 * value) / most)}%`
  return (
    <div aria-hidden className={css.track}>
      <div className={css.bar} style={{ width: width(bound), backgroundColor: tint(colors.text2, 0.18) }} />
      <div
        className={css.bar}
        style={{
          width: width(shift.index),
          backgroundColor: shift.shifted ? colors.warn : colors.text3,
          top: 3,
          bottom: 3,
        }}
      />
    </div>
  )
}

function ShiftRow({ shift, most }: { shift: FeatureShift; most: number }) {
  return (
    <li className={css.row}>
      <Text size="small" weight={500} style={{ gridArea: 'name', minWidth: 0 }}>
        {shift.label}
        {shift.shifted && <span style={{ color: colors.warn, fontWeight: 400 }}> shifted</span>}
      </Text>
      <div style={{ gridArea: 'bar' }}>
        <ShiftBar shift={shift} most={most} />
      </div>
      <Text size="small" style={{ gridArea: 'figure', textAlign: 'right', fontVariantNumeric: 'tabular-nums' }}>
        <span className={layout.visuallyHidden}>Stability index</span> {formatRatio(shift.index)}
        <span style={{ color: colors.text3 }}>
          {' '}
          / {formatRatio(Math.max(STABLE_BELOW, shift.chanceBand))}
          <span className={layout.visuallyHidden}> is the bound</span>
        </span>
      </Text>
      {shift.shifted && (
        <Text size="small" tone="text2" style={{ gridArea: 'words' }}>
          {shift.words}
        </Text>
      )}
    </li>
  )
}

const Rows = ({ label, shifts, most }: { label: string; shifts: readonly FeatureShift[]; most: number }) => (
  <ul aria-label={label} className={layout.list}>
    {shifts.map((shift) => (
      <ShiftRow key={shift.name} shift={shift} most={most} />
    ))}
  </ul>
)

/** The features that have shifted, then the others, each by how far; what changed in words. */
export function ShiftList({ drift: { features } }: { drift: FeatureDrift }) {
  const most = Math.max(...features.map(({ index, chanceBand }) => Math.max(index, chanceBand)), STABLE_BELOW)
  const order = [...features.filter(({ shifted }) => shifted), ...features.filter(({ shifted }) => !shifted)]
  const [first, rest] = [order.slice(0, SHOWN), order.slice(SHOWN)]
  const hidden = rest.filter(({ shifted }) => shifted).length
  return (
    <>
      <Rows label="Features by stability index" shifts={first} most={most} />
      {rest.length > 0 && (
        <details style={{ borderTop: `1px solid ${colors.divider}` }}>
          <summary className={layout.summary} style={{ paddingBlock: 10 }}>
            {rest.length} more, {hidden === 0 ? 'none' : hidden} of them shifted
          </summary>
          <Rows label="More features by stability index" shifts={rest} most={most} />
        </details>
      )}
    </>
  )
}
