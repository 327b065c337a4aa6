import { Divider, MenuItem } from '@mui/material'
import { Minus, PencilLine, Trash2, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#kit/ui/button.tsx'
import { Menu } from '#kit/ui/overlays.tsx'
import { type Drawing, type DrawnLines, lineWords } from './drawn-lines.ts'

/** Draws a line on the chart, and takes away those that are there. */
export function DrawingMenu({
  drawn,
  tickSize,
  isDisabled,
}: {
  drawn: DrawnLines
  tickSize: number | undefined
  isDisabled: boolean
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { lines, setDrawing, remove, removeAll } = drawn
  const then = (act: () => void) => () => {
    setAnchor(null)
    act()
  }
  const draw = (drawing: Drawing) => then(() => setDrawing(drawing))
  return (
    <>
      <IconButton
        size="small"
        title="Lines"
        disabled={isDisabled}
        aria-label="Lines"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        style={{ width: 30, height: 30 }}
      >
        <PencilLine size={16} />
      </IconButton>
      <Menu
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { style: { maxHeight: 360 } }, list: { 'aria-label': 'Lines' } }}
      >
        <MenuItem onClick={draw({ kind: 'level' })} style={{ gap: 8 }}>
          <Minus size={14} aria-hidden />
          Draw a horizontal line
        </MenuItem>
        <MenuItem onClick={draw({ kind: 'trend', from: null })} style={{ gap: 8 }}>
          <TrendingUp size={14} aria-hidden />
          Draw a trend line
        </MenuItem>
        {lines.length > 0 && <Divider />}
        {lines.map((line, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names, and two may be the same
          <MenuItem key={k} onClick={then(() => remove(line))} style={{ gap: 8 }}>
            <Trash2 size={14} aria-hidden />
            Remove the {lineWords(line, tickSize)}
          </MenuItem>
        ))}
        {lines.length > 1 && (
          <MenuItem onClick={then(removeAll)} style={{ gap: 8 }}>
            <Trash2 size={14} aria-hidden />
            Remove all lines
          </MenuItem>
        )}
      </Menu>
    </>
  )
}
