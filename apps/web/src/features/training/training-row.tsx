import type { TrainingJob } from '@shapecast/contracts/trainings'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { ProgressBar } from '#kit/ui/progress-bar.tsx'
import { Note, Text } from '#kit/ui/text.tsx'
import { CancelJob } from '#wire/ui/cancel-job.tsx'
import { EndedTraining } from './ended-training.tsx'
import { lossWords, trainingName, trainingPct, trainingWords } from './training-words.ts'

/** One training: how far it is with both losses and a way to stop it, or how it ended. */
export function TrainingRow({ job }: { job: TrainingJob }) {
  const { status } = job
  return status === 'queued' || status === 'running' ? (
    <TrainingUnderWay job={job} />
  ) : (
    <EndedTraining job={{ ...job, status }} />
  )
}

function TrainingUnderWay({ job }: { job: TrainingJob }) {
  const name = trainingName(job)
  return (
    <Row as="li" aria-label={`Training ${name}`} gap={1.5} className={layout.listRow} style={{ paddingBlock: 12 }}>
      <div className={layout.grow}>
        <Text as="div" weight={500} style={{ marginBottom: 4 }}>
          {name}
        </Text>
        <ProgressBar words={trainingWords(job)} pct={trainingPct(job)} />
        <Note above={0.75}>{lossWords(job.progress) ?? ' '}</Note>
      </div>
      <CancelJob id={job._id} job={`training of ${name}`} />
    </Row>
  )
}
