import { Button } from '@mui/material'
import { useState } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'
import { Row } from '#kit/ui/layout.tsx'
import { Note } from '#kit/ui/text.tsx'
import css from './model-panel.module.css'

const WIDTH = 312
const HEIGHT = 150
const POINTS = 78

/** The shape and the noise around it: made up, like everything in this panel. */
const shapeAt = (share: number) =>
  HEIGHT * (0.62 - 0.34 * Math.sin(share * 2.7 - 0.2) + 0.12 * Math.sin(share * 7.1 + 0.8))
const noiseAt = (i: number) => 11 * Math.sin(i * 2.3) * Math.cos(i * 0.83) + 6 * Math.sin(i * 5.7)

const path = (offset: (i: number) => number) =>
  Array.from({ length: POINTS + 1 }, (_, i) => {
    const share = i / POINTS
    return `${i === 0 ? 'M' : 'L'}${(share * WIDTH).toFixed(1)} ${(shapeAt(share) + offset(i)).toFixed(1)}`
  }).join(' ')
const MARKET = path(noiseAt)
const MODEL = path(() => 0)

/** Shows how a model smooths a market. It is an ornament: Buy and Sell trade nothing, they only draw it again. */
export function ModelPanel() {
  const [run, setRun] = useState(0)
  const again = () => setRun((before) => before + 1)
  return (
    <Card title="Model" facts="a drawing, not a signal">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        preserveAspectRatio="xMinYMid meet"
        className={css.drawing}
      >
        <path d={MARKET} fill="none" stroke={colors.text3} strokeWidth="1" opacity="0.55" />
        <path
          key={run}
          data-run={run}
          d={MODEL}
          pathLength={1}
          fill="none"
          stroke={colors.accent}
          strokeWidth="2"
          className={css.curve}
        />
      </svg>
      <Row gap={1} align="stretch" above={2}>
        <Button fullWidth onClick={again} style={{ color: colors.up }}>
          Buy
        </Button>
        <Button fullWidth onClick={again} style={{ color: colors.down }}>
          Sell
        </Button>
      </Row>
      <Note as="p" above={1}>
        The buttons draw it again. Nothing is traded.
      </Note>
    </Card>
  )
}
