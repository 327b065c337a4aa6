import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, busyButton, IconButton } from './button.tsx'
import css from './dialog.module.css'
import { Modal } from './modal.tsx'
import { Text } from './primitives.tsx'
import { useNarrowerThan } from './use-is-narrow.ts'

export interface DialogProps {
  title: string
  /** What it is about, in a line under the title. */
  subtitle?: string
  onClose: () => void
  /** Buttons, right under a hairline; the primary one last. */
  actions: ReactNode
  /** 480 where it is not said. A wider one takes the whole screen below md. */
  widthPx?: number
  /** The content reaches the edges: it has sections of its own. */
  flush?: boolean
  children: ReactNode
}

/** Head and foot stay, the body scrolls; the whole screen where it is narrow. */
export function Dialog({ title, subtitle, onClose, actions, widthPx = 480, flush = false, children }: DialogProps) {
  const titleId = useId()
  const isNarrow = useNarrowerThan(widthPx > 600 ? 900 : 600)
  return (
    <Modal
      onClose={onClose}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      style={{ maxWidth: isNarrow ? 'none' : widthPx }}
    >
      <div className={subtitle === undefined ? `${css.head} ${css.bare}` : css.head}>
        <div className={css.words}>
          <Text as="h2" size="h3" id={titleId}>
            {title}
          </Text>
          {subtitle !== undefined && (
            <Text size="small" breaks tone="text2">
              {subtitle}
            </Text>
          )}
        </div>
        <IconButton size="small" edge="end" aria-label="Close" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <div className={flush ? css.flush : css.body}>{children}</div>
      <div className={css.actions}>{actions}</div>
    </Modal>
  )
}

/** The foot of a dialog that does one thing: what is to be known of it, the way out, and the thing itself. */
export function DialogActions({
  label,
  tone = 'contained',
  note,
  isWrong = false,
  disabledReason,
  isBusy,
  onCancel,
  ...does
}: {
  label: string
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  note?: ReactNode
  /** The note says what is wrong. */
  isWrong?: boolean
  /** Why it cannot be done yet. */
  disabledReason?: string | null | undefined
  isBusy: boolean
  onCancel: () => void
} & ({ onConfirm: () => void } | { formId: string })) {
  return (
    <>
      {note !== undefined && note !== false && (
        <Text size="small" tone={isWrong ? 'down' : 'text2'} role="status" className={css.note}>
          {note}
        </Text>
      )}
      <Button variant="text" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant={tone}
        disabled={typeof disabledReason === 'string'}
        title={disabledReason ?? undefined}
        {...('formId' in does
          ? { type: 'submit', form: does.formId, ...busyButton(isBusy) }
          : busyButton(isBusy, does.onConfirm))}
      >
        {label}
      </Button>
    </>
  )
}
