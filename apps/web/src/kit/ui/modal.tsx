import { type ComponentProps, type MouseEvent, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import css from './modal.module.css'

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
