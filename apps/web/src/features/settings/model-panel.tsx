import { Box, Button, Typography } from '@mui/material'
import { keyframes } from '@mui/material/styles'
import { useState } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Card } from '#kit/ui/card.tsx'

const WIDTH = 312
const HEIGHT = 150
const POINTS = 78
const DRAWING_MS = 2_400

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

const draw = keyframes({ from: { strokeDashoffset: 1 }, to: { strokeDashoffset: 0 } })

/** Shows how a model smooths a market. It is an ornament: Buy and Sell trade nothing, they only draw it again. */
export function ModelPanel() {
  const [run, setRun] = useState(0)
  const again = () => setRun((before) => before + 1)
  return (
    <Card title="Model" facts="a drawing, not a signal">
      <Box
        component="svg"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        aria-hidden="true"
        preserveAspectRatio="xMinYMid meet"
        sx={{ display: 'block', width: '100%', maxHeight: 200 }}
      >
        <path d={MARKET} fill="none" stroke={colors.text3} strokeWidth="1" opacity="0.55" />
        <Box
          key={run}
          component="path"
          data-run={run}
          d={MODEL}
          pathLength={1}
          fill="none"
          stroke={colors.accent}
          strokeWidth="2"
          sx={{ strokeDasharray: 1, animation: `${draw} ${DRAWING_MS}ms ease-out both` }}
        />
      </Box>
      <Box sx={{ display: 'flex', gap: 1, mt: 2 }}>
        <Button fullWidth onClick={again} sx={{ color: colors.up }}>
          Buy
        </Button>
        <Button fullWidth onClick={again} sx={{ color: colors.down }}>
          Sell
        </Button>
      </Box>
      <Typography variant="label" component="p" sx={{ m: 0, mt: 1, color: colors.text3, fontWeight: 400 }}>
        The buttons draw it again. Nothing is traded.
      </Typography>
    </Card>
  )
}
