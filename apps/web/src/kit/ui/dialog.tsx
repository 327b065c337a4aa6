import { X } from 'lucide-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Banner } from './banner.tsx'
import { Button, busyButton, IconButton } from './button.tsx'
import css from './dialog.module.css'
import layout from './layout.module.css'
import { Column, Text } from './primitives.tsx'
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
        <div className={layout.grow}>
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

/** A dialog that sends the form in it. */
export function FormDialog({
  label,
  note,
  isBusy,
  onSubmit,
  onBlur,
  children,
  ...dialog
}: Omit<DialogProps, 'actions'> &
  Pick<ComponentProps<'form'>, 'onSubmit' | 'onBlur'> & { label: string; note?: ReactNode; isBusy: boolean }) {
  const formId = useId()
  return (
    <Dialog
      {...dialog}
      actions={<DialogActions label={label} note={note} isBusy={isBusy} onCancel={dialog.onClose} formId={formId} />}
    >
      <Column as="form" gap={2} id={formId} noValidate onSubmit={onSubmit} onBlur={onBlur}>
        {children}
      </Column>
    </Dialog>
  )
}

export interface ModalProps extends ComponentProps<'dialog'> {
  /** Escape, Back of a phone, or a press beside it. */
  onClose: () => void
  /** It takes the whole window. */
  fullScreen?: boolean
}

/** Whether the backdrop was hit: the browser calls that the dialog itself. */
function isBeside({ target, currentTarget, clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return target === currentTarget && (clientX < left || clientX > right || clientY < top || clientY > bottom)
}

/** A dialog of the browser over all else, which keeps the focus and gives it back. It is open as long as it is there. */
export function Modal({ onClose, fullScreen = false, className, children, ...dialog }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const isPressBeside = useRef(false)
  // What is in it comes after it is open: nothing that is not shown takes the focus.
  const [isOpen, setIsOpen] = useState(false)
  useLayoutEffect(() => {
    const shown = ref.current!
    // The page below does not scroll now; what it loses of a bar it gets as room.
    const barPx = window.innerWidth - document.documentElement.clientWidth
    if (barPx > 0) document.body.style.paddingRight = `${barPx}px`
    shown.showModal()
    setIsOpen(true)
    return () => {
      shown.close()
      if (barPx > 0) document.body.style.paddingRight = ''
    }
  }, [])
  return createPortal(
    <dialog
      {...dialog}
      ref={ref}
      className={[css.modal, fullScreen && css.full, className].filter(Boolean).join(' ')}
      onMouseDown={(event) => {
        isPressBeside.current = isBeside(event)
      }}
      onClick={(event) => isPressBeside.current && isBeside(event) && onClose()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {isOpen && children}
    </dialog>,
    document.body,
  )
}

export interface ConfirmDialogProps {
  title: string
  subtitle?: string
  widthPx?: number
  /** What happens, and what is lost. */
  text?: string
  /** The thing by name, with figures that make it recognisable. */
  subject?: ReactNode
  confirmLabel: string
  /** What else may be done, or is to be known; at the left of the buttons. */
  note?: ReactNode
  /** Danger where something is lost or put at risk. */
  tone?: 'danger' | 'contained'
  /** Why it cannot be confirmed yet. */
  disabledReason?: string | undefined
  onConfirm: () => void
  onClose: () => void
  busy?: boolean
  error?: string | undefined
}

/** Asks before something that is lost for good or weighs much. Deleting names what is lost. */
export function ConfirmDialog({
  text,
  subject,
  confirmLabel,
  tone = 'danger',
  disabledReason,
  onConfirm,
  onClose,
  busy = false,
  error,
  note,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog
      {...dialog}
      onClose={onClose}
      actions={
        <DialogActions
          label={confirmLabel}
          tone={tone}
          note={note}
          disabledReason={disabledReason}
          isBusy={busy}
          onCancel={onClose}
          onConfirm={onConfirm}
        />
      }
    >
      <Column gap={2}>
        {text !== undefined && <Text tone="text2">{text}</Text>}
        {subject !== undefined && (
          <Text as="div" size="small">
            {subject}
          </Text>
        )}
        {error !== undefined && <Banner kind="error" title={error} />}
      </Column>
    </Dialog>
  )
}
