import { Button } from '#kit/ui/button.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { type DrawnLines, timeAt } from './drawn-lines.ts'
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
