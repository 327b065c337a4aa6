import type { DialogProps, DrawerProps, MenuProps, PopoverProps, SnackbarProps } from '@mui/material'
import { lazy, type ReactNode, Suspense, useState } from 'react'

const LazyMenu = lazy(() => import('@mui/material/Menu'))
const LazyPopover = lazy(() => import('@mui/material/Popover'))
const LazyDrawer = lazy(() => import('@mui/material/Drawer'))
const LazyDialog = lazy(() => import('@mui/material/Dialog'))
const LazySnackbar = lazy(() => import('@mui/material/Snackbar'))

/** Nothing before it first opens; then it stays, so that it can close in its own time. */
export function OnceOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(open)
  if (open && !wasOpened) setWasOpened(true)
  return wasOpened && <Suspense>{children}</Suspense>
}

// What opens over a page: its code comes when it first opens, so that the page is there sooner.

export const Menu = (props: MenuProps) => (
  <OnceOpened open={props.open}>
    <LazyMenu {...props} />
  </OnceOpened>
)

export const Popover = (props: PopoverProps) => (
  <OnceOpened open={props.open}>
    <LazyPopover {...props} />
  </OnceOpened>
)

export const Drawer = (props: DrawerProps) => (
  <OnceOpened open={props.open ?? false}>
    <LazyDrawer {...props} />
  </OnceOpened>
)

export const PlainDialog = (props: DialogProps) => (
  <OnceOpened open={props.open}>
    <LazyDialog {...props} />
  </OnceOpened>
)

export const Snackbar = (props: SnackbarProps) => (
  <OnceOpened open={props.open ?? false}>
    <LazySnackbar {...props} />
  </OnceOpened>
)
