import { OctagonX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { MoneyChip } from '#entities/bots/bot-chips.tsx'
import type { MoneySum } from '#entities/bots/bot-summary.ts'
import { formatMoney, formatMoneyUnit, formatPnl } from '#kit/format/money.ts'
import { directionOf, formatCounted } from '#kit/format/number.ts'
import { Button } from '#kit/ui/button.tsx'
import { Text } from '#kit/ui/text.tsx'
import { useRealTrading } from '../real/use-real-trading.ts'
import css from './bots-page.module.css'

/** Real money, which is never added to virtual; `money` is null where none of it is the reader's. */
export function RealStrip({ money, maySwitch }: { money: MoneySum | null; maySwitch: boolean }) {
  const direction = money === null ? 'flat' : directionOf(money.pnl)
  return (
    <section aria-label="Real money" className={css.strip}>
      <MoneyChip isVirtual={false} />
      {money === null ? (
        <Text size="small" tone="text2">
          Bots trade real money on this installation.
        </Text>
      ) : (
        <>
          <Text as="span">
            <strong>{formatMoney(money.equity)}</strong> USDT in {formatCounted(money.count, 'bot')}, not in the sum
            above
          </Text>
          <Text as="span" size="small" tone="text2">
            P&L{' '}
            <Text as="span" size="small" tone={direction === 'flat' ? 'inherit' : direction}>
              {formatPnl(money.pnl)}
            </Text>{' '}
            · closed {formatPnl(money.closed)}, open {formatPnl(money.open)}
          </Text>
          <Text as="span" size="small" tone="text2">
            {formatCounted(money.positions, 'position')}
            {money.positions > 0 && `, ${formatMoneyUnit(money.worth, 'USDT')}`}
          </Text>
        </>
      )}
      {maySwitch && <KillSwitchButton />}
    </section>
  )
}

const KillSwitchDialog = lazy(async () => ({
  default: (await import('../real/kill-switch-dialog.tsx')).KillSwitchDialog,
}))

/** Stops all bots with real money. Once it is on, the banner above every page goes on from there. */
function KillSwitchButton() {
  const { data } = useRealTrading()
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        variant="danger"
        startIcon={<OctagonX size={16} />}
        disabled={data?.killed === true}
        title={data?.killed === true ? 'It is on' : 'Stops every bot with real money at once'}
        onClick={() => setIsAsking(true)}
        style={{ marginLeft: 'auto' }}
      >
        Stop everything
      </Button>
      {isAsking && (
        <Suspense>
          <KillSwitchDialog state={data} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
