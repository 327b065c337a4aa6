import type { ReactNode } from 'react'
import { UNKNOWN } from '../format/number.ts'
import { colors } from '../theme/tokens.ts'
import { Explained } from './explained.tsx'
import layout from './layout.module.css'
import { Text } from './text.tsx'

export interface FigureProps {
  label: string
  value: ReactNode
  /** Written once, small, after the value. */
  unit?: string
  size?: 'L' | 'M' | 'S'
  tone?: 'plain' | 'quiet' | 'up' | 'down'
}

const TONE = { plain: colors.text, quiet: colors.text2, up: colors.up, down: colors.down } as const

/** A label over a large number: Final 1,095.27 USDT. */
export function Figure({ label, value, unit, size = 'M', tone = 'plain' }: FigureProps) {
  return (
    <div className={layout.shrinks}>
      <Text as="div" size="label" tone="text2">
        <Explained label={label} />
      </Text>
      <Text as="div" size={`number${size}`} style={{ color: value === UNKNOWN ? colors.text3 : TONE[tone] }}>
        {value}
        {unit !== undefined && (
          <>
            {' '}
            <Text as="span" size="label" tone="text3" style={{ letterSpacing: 0 }}>
              {unit}
            </Text>
          </>
        )}
      </Text>
    </div>
  )
}
