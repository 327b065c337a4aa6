import { formatSigned } from '#kit/format/number.ts'
import { Row } from '#kit/ui/layout.tsx'
import { Note } from '#kit/ui/text.tsx'
import css from './interval-bar.module.css'

/** A figure within its interval on a track with 0 in the middle. Only a picture of what stands beside it in words. */
export function IntervalBar({ value, interval: [low, high] }: { value: number; interval: readonly [number, number] }) {
  const reach = Math.max(1, Math.ceil(Math.max(...[value, low, high].map(Math.abs))))
  const pctAt = (at: number) => `${50 + (50 * at) / reach}%`
  return (
    <div aria-hidden className={css.bar}>
      <div className={css.track}>
        <div className={css.line} />
        <div className={css.range} style={{ left: pctAt(low), right: `calc(100% - ${pctAt(high)})` }} />
        <div className={css.zero} />
        <div className={css.dot} style={{ left: pctAt(value) }} />
      </div>
      <Row gap={0} between above={0.5}>
        {[-reach, 0, reach].map((at) => (
          <Note as="span" key={at}>
            {formatSigned(at, 0)}
          </Note>
        ))}
      </Row>
    </div>
  )
}
