import { ExaminationCard } from './examination-card.tsx'
import { useExamination } from './use-examination.ts'

/** What the examination of an artifact found: whether it knows the future. */
export function Findings({ artifactId }: { artifactId: string }) {
  const control = useExamination(artifactId)
  return <ExaminationCard control={control} />
}
