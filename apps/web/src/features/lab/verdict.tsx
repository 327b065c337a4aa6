import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import css from './verdict.module.css'

/** What a walk or a batch says, in sentences, then figures, then one next step. Never green; amber where luck explains it. */
export function Verdict({
  title,
  sentences,
  isLuck,
  next,
  children,
}: {
  title: string
  sentences: readonly string[]
  isLuck: boolean
  next?: string
  children?: ReactNode
}) {
  return (
    <section aria-label="Verdict" className={isLuck ? `${css.card} ${css.luck}` : css.card}>
      <Row gap={1.25} align="start" className={css.part}>
        {isLuck && <TriangleAlert size={18} className={css.icon} aria-hidden />}
        <div>
          <Text size="h2" as="h2">
            {title}
          </Text>
          {sentences.map((sentence) => (
            <Text key={sentence} tone="text2" above={0.5}>
              {sentence}
            </Text>
          ))}
        </div>
      </Row>
      {children !== undefined && <div className={`${css.part} ${css.figures}`}>{children}</div>}
      {next !== undefined && (
        <Text size="small" tone="text2" className={css.part}>
          {next}
        </Text>
      )}
    </section>
  )
}
