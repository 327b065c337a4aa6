import type { DialogProps, DrawerProps, MenuProps, PopoverProps } from '@mui/material'
import { lazy, type ReactNode, Suspense, useState } from 'react'

const LazyMenu = lazy(() => import('@mui/material/Menu'))
const LazyPopover = lazy(() => import('@mui/material/Popover'))
const LazyDrawer = lazy(() => import('@mui/material/Drawer'))
const LazyDialog = lazy(() => import('@mui/material/Dialog'))

/** Nothing before it first opens; then it stays, so that it can close in its own time. */
export function OnceOpened({ open, children }: { open: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(open)
  if (open && !wasOpened) setWasOpened(true)
  return wasOpened && <Suspense fallback={null}>{children}</Suspense>
}

// What opens over the frame and the dashboard, which are to be there quickly: its code comes when it first opens.

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
