import type { DialogProps, DrawerProps, MenuProps, PopoverProps, SnackbarProps } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { lazily } from './lazily.tsx'

const LazyMenu = lazily(async () => (await import('@mui/material/Menu')).default)
const LazyPopover = lazily(async () => (await import('@mui/material/Popover')).default)
const LazyDrawer = lazily(async () => (await import('@mui/material/Drawer')).default)
const LazyDialog = lazily(async () => (await import('@mui/material/Dialog')).default)
const LazySnackbar = lazily(async () => (await import('@mui/material/Snackbar')).default)

/** Nothing before it first opens; then it stays, so that it can close in its own time. */
export function OnceOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(open)
  if (open && !wasOpened) setWasOpened(true)
  return wasOpened && children
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
