import { Box } from '@mui/material'
import { encode } from 'uqr'

/** `text` as a QR code, black on white in both themes: cameras read it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{ width: 200, height: 200, borderRadius: 1, backgroundColor: 'common.white', color: 'common.black' }}
    >
      <path d={squares.join('')} fill="currentColor" />
    </Box>
  )
}
