export type ChartCommand =
  | { readonly kind: 'pan'; readonly spans: number }
  | { readonly kind: 'pan_price'; readonly px: number }
  | { readonly kind: 'zoom'; readonly steps: number }
  | { readonly kind: 'reset' }

/** What a key does while the chart has the focus; null where the key is not the chart's. */
export function commandOfKey(key: string, shift: boolean): ChartCommand | null {
  switch (key) {
    case 'ArrowLeft':
      return { kind: 'pan', spans: shift ? -0.5 : -0.1 }
    case 'ArrowRight':
      return { kind: 'pan', spans: shift ? 0.5 : 0.1 }
    case 'ArrowUp':
      return { kind: 'pan_price', px: shift ? 60 : 12 }
    case 'ArrowDown':
      return { kind: 'pan_price', px: shift ? -60 : -12 }
    case '+':
    case '=':
      return { kind: 'zoom', steps: 2 }
    case '-':
    case '−':
    case '_':
      return { kind: 'zoom', steps: -2 }
    case '0':
      return { kind: 'reset' }
    default:
      return null
  }
}
