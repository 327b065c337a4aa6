import { encode } from 'uqr'
import css from './qr-code.module.css'

/** `text` as a QR code, black on white in both themes: cameras read it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={css.code}>
      <path d={squares.join('')} fill="currentColor" />
    </svg>
  )
}
