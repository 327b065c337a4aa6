import { Box, Typography } from '@mui/material'
import { POLICIES, smallestBalance } from '@shapecast/contracts/policies'
import { haltedYears, STUDIED_YEARS } from '@shapecast/contracts/policy-figures'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatFixed } from '#kit/format/number.ts'
import { colors } from '#kit/theme/tokens.ts'
import type { BotForm } from './bot-form.ts'

/** From this share of the studied years on, the limit is more likely in the way than a help. */
const OFTEN = 0.1

/** Of a policy: how often its drawdown limit would have ended it, and whether its balance is large enough to trade. */
export function LimitNotes({ form, smallestOrder }: { form: BotForm; smallestOrder: number | null }) {
  const { policy, riskLevel, maxDrawdown, initialBalance, tradingPairs } = form
  const halted = maxDrawdown === null || Number.isNaN(maxDrawdown) ? null : haltedYears(policy, riskLevel, maxDrawdown)
  const smallest = smallestBalance(policy, tradingPairs.length, smallestOrder ?? undefined)
  const isSmall = smallest !== null && initialBalance !== null && initialBalance < smallest.works
  return (
    <>
      {halted !== null && (
        <Note isWarning={halted / STUDIED_YEARS > OFTEN}>
          A limit of {maxDrawdown}% would have halted {halted === 0 ? 'none' : halted} of {STUDIED_YEARS} one-year
          starts of {POLICIES[policy].name} on BTC since 2018{halted > 0 && ` (${shareText(halted)})`}.
        </Note>
      )}
      {smallest !== null && (
        <Note isWarning={isSmall}>
          {isSmall ? 'Too small to follow its target: ' : ''}
          {tradingPairs.length > 1 ? `${tradingPairs.length} pairs work` : 'It works'} from{' '}
          {formatMoneyUnit(smallest.works, 'USDT')} on, as orders below{' '}
          {formatMoneyUnit(smallestOrder ?? DEFAULT_ORDER, 'USDT')} are not taken.
        </Note>
      )}
    </>
  )
}

const DEFAULT_ORDER = 10
const shareText = (halted: number) => `${formatFixed((100 * halted) / STUDIED_YEARS, 1)}%`

const Note = ({ isWarning, children }: { isWarning: boolean; children: ReactNode }) => (
  <Typography
    variant="label"
    component="p"
    sx={{ m: 0, display: 'flex', gap: 0.75, fontWeight: 400, color: isWarning ? colors.warn : colors.text2 }}
  >
    {isWarning && <Box component={TriangleAlert} size={14} sx={{ flexShrink: 0, mt: '1px' }} />}
    <span>{children}</span>
  </Typography>
)
