import { Minus, PencilLine, Trash2, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#kit/ui/button.tsx'
import { Menu, MenuDivider, MenuItem } from '#kit/ui/menu.tsx'
import { Row, Text } from '#kit/ui/primitives.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { type Drawing, type DrawnLines, lineWords, timeAt } from './drawn-lines.ts'
import type { PriceModel } from './price-model.ts'

/** Candles between the two spots of a trend line that is drawn without a pointer. */
const BY_KEY_CANDLES = 50

/** What to press while a line is drawn, with a way to draw it by the keyboard; and what went wrong with one. */
export function DrawingNote({ drawn, model }: { drawn: DrawnLines; model: PriceModel }) {
  const { drawing, press, setDrawing, error } = drawn
  if (drawing === null)
    return error === null ? null : (
      <Text size="small" tone="down" role="alert">
        The line could not be kept: {errorText(error, 'the server does not answer')}
      </Text>
    )
  const spotAt = (index: number) => ({ t: timeAt(model, index)!, price: model.close[index]! })
  const last = model.count - 1
  const isSecond = drawing.kind === 'trend' && drawing.from !== null
  const index = drawing.kind === 'trend' && !isSecond ? Math.max(0, last - BY_KEY_CANDLES) : last
  return (
    <Row gap={1} wrap style={{ marginBottom: 8 }}>
      <Text size="small" role="status">
        {drawing.kind === 'level'
          ? 'Press on the price of the line.'
          : isSecond
            ? 'Press on the second spot of the line.'
            : 'Press on the first spot of the line.'}
      </Text>
      <Button size="small" onClick={() => press(spotAt(index))}>
        {index === last ? 'At the last close' : `At the close ${last - index} candles ago`}
      </Button>
      <Button size="small" variant="text" onClick={() => setDrawing(null)}>
        Cancel
      </Button>
    </Row>
  )
}

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
  const draw = (drawing: Drawing) => () => setDrawing(drawing)
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
      <Menu anchor={anchor} onClose={() => setAnchor(null)} aria-label="Lines" style={{ maxHeight: 360 }}>
        <MenuItem onClick={draw({ kind: 'level' })} style={{ gap: 8 }}>
          <Minus size={14} aria-hidden />
          Draw a horizontal line
        </MenuItem>
        <MenuItem onClick={draw({ kind: 'trend', from: null })} style={{ gap: 8 }}>
          <TrendingUp size={14} aria-hidden />
          Draw a trend line
        </MenuItem>
        {lines.length > 0 && <MenuDivider />}
        {lines.map((line, k) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names, and two may be the same
          <MenuItem key={k} onClick={() => remove(line)} style={{ gap: 8 }}>
            <Trash2 size={14} aria-hidden />
            Remove the {lineWords(line, tickSize)}
          </MenuItem>
        ))}
        {lines.length > 1 && (
          <MenuItem onClick={removeAll} style={{ gap: 8 }}>
            <Trash2 size={14} aria-hidden />
            Remove all lines
          </MenuItem>
        )}
      </Menu>
    </>
  )
}
