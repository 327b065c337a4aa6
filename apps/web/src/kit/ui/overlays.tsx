import type { DialogProps, DrawerProps, MenuProps, PopoverProps, SnackbarProps } from '@mui/material'
import { lazy, type ReactNode, Suspense, useState } from 'react'

const LazyMenu = lazy(() => import('@mui/material/Menu'))
const LazyPopover = lazy(() => import('@mui/material/Popover'))
const LazyDrawer = lazy(() => import('@mui/material/Drawer'))
const LazyDialog = lazy(() => import('@mui/material/Dialog'))
const LazySnackbar = lazy(() => import('@mui/material/Snackbar'))

/** Nothing before it first opens; then it stays, so that it can close in its own time. */
export function KeepMounted({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(open)
  if (open && !wasOpened) setWasOpened(true)
  return wasOpened && <Suspense>{children}</Suspense>
}

// What opens over a page: its code comes when it first opens, so that the page is there sooner.

export const Menu = (props: MenuProps) => (
  <KeepMounted open={props.open}>
    <LazyMenu {...props} />
  </KeepMounted>
)

export const Popover = (props: PopoverProps) => (
  <KeepMounted open={props.open}>
    <LazyPopover {...props} />
  </KeepMounted>
)

export const Drawer = (props: DrawerProps) => (
  <KeepMounted open={props.open ?? false}>
    <LazyDrawer {...props} />
  </KeepMounted>
)

export const PlainDialog = (props: DialogProps) => (
  <KeepMounted open={props.open}>
    <LazyDialog {...props} />
  </KeepMounted>
)

export const Snackbar = (props: SnackbarProps) => (
  <KeepMounted open={props.open ?? false}>
    <LazySnackbar {...props} />
  </KeepMounted>
)
