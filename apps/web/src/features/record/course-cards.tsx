import type { TrackRecord } from '@shapecast/contracts/track-record'
import { SharesPlot } from '#charts/plots/shares-plot.tsx'
import { SkillPlot } from '#charts/plots/skill-plot.tsx'
import { formatDate, formatDay } from '#kit/format/time.ts'
import { Card } from '#kit/ui/card.tsx'

type Course = TrackRecord['course']

const TITLES: Readonly<Record<Course['unit'], string>> = { day: 'Day', week: 'Week from', month: 'Month' }

/** `21 Sep`, `Sep 2022`. */
const nameOf = (unit: Course['unit'], from: number): string =>
  unit === 'month' ? formatDate(from).replace('1 ', '') : formatDay(from)

/** Right directions and skill over time, with their intervals. */
export function CourseCards({ course: { unit, parts } }: { course: Course }) {
  const xTitle = `${TITLES[unit]}, UTC`
  const columns = parts
    .filter(({ accuracy }) => accuracy !== null)
    .map((part) => ({ ...part, name: nameOf(unit, part.from) }))
  if (columns.length === 0) return null
  return (
    <>
      <Card title={`Right direction by ${unit}`}>
        <SharesPlot
          label={`Live accuracy by ${unit}`}
          xTitle={xTitle}
          columns={columns.map(({ name, accuracy, interval }) => ({ name, share: accuracy, interval }))}
          lines={[{ word: 'guessing', share: 0.5 }]}
          shareWord="right"
        />
      </Card>
      <Card title={`Skill by ${unit}`} facts="above 0 its percentages beat knowing nothing">
        <SkillPlot
          label={`Live Brier skill over climatology by ${unit}`}
          xTitle={xTitle}
          columns={columns.map(({ name, brierSkill, brierSkillInterval }) => ({
            name,
            skill: brierSkill,
            interval: brierSkillInterval,
          }))}
        />
      </Card>
    </>
  )
}
