import { ButtonBase, Card } from '@mui/material'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './folded-form.module.css'
import { Row } from './layout.tsx'
import { Note, Text } from './text.tsx'

/** A form in one line while the result is what counts: its name, what it is set to, and its main button. */
export function FoldedForm({
  title,
  note,
  isWarned = false,
  onUnfold,
  children,
}: {
  title: string
  note?: string | undefined
  /** The note is a caution: amber. */
  isWarned?: boolean
  onUnfold: () => void
  children?: ReactNode
}) {
  return (
    <Card component="section" aria-label={title} sx={{ p: 0.75 }}>
      <Row gap={1}>
        <ButtonBase aria-expanded={false} onClick={onUnfold} sx={buttonStyle}>
          <ChevronRight size={16} aria-hidden />
          <span className={css.words}>
            <Text as="span" size="h2" className={css.line}>
              {title}
            </Text>
            {note !== undefined && (
              <Note as="span" tone={isWarned ? 'warn' : 'text2'} className={css.line}>
                {note}
              </Note>
            )}
          </span>
        </ButtonBase>
        {children}
      </Row>
    </Card>
  )
}

const buttonStyle = {
  flex: 1,
  minWidth: 0,
  minHeight: 44,
  px: 1.25,
  gap: 1.25,
  justifyContent: 'flex-start',
  textAlign: 'left',
  borderRadius: 1,
} as const
