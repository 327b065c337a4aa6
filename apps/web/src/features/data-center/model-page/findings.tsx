import { ExaminationCard } from './examination-card.tsx'
import { whyNoImportance } from './examination-words.ts'
import { ImportanceCard } from './importance-card.tsx'
import { useExamination } from './use-examination.ts'

/** What the examination of an artifact found: what it looks at, and whether it knows the future. */
export function Findings({ artifactId }: { artifactId: string }) {
  const control = useExamination(artifactId)
  const { data, isError } = control.reply
  return (
    <>
      <ImportanceCard importance={data?.importance ?? null} whyNot={whyNoImportance(data, isError)} />
      <ExaminationCard control={control} />
    </>
  )
}
