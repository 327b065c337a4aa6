import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { colors } from '#kit/theme/tokens.ts'
import { Banner } from '#kit/ui/banner.tsx'
import { Button, RetryButton } from '#kit/ui/button.tsx'
import { Card, SkeletonBox, SkeletonGroup } from '#kit/ui/card.tsx'
import { Chip } from '#kit/ui/chip.tsx'
import layout from '#kit/ui/layout.module.css'
import { Column, Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { useHealth } from '#wire/calls/use-health.ts'
import css from './system-page.module.css'

const DISCUSSION = 'https://x.com/hashtag/shapecast'

/** What the project is about, and the state of the system. `children` stands below: the task board. */
export const SystemPage = ({ children }: { children?: ReactNode }) => (
  <div className={layout.pageColumn}>
    <SystemStatus />
    <div className={`${layout.pageColumn} ${css.row}`}>
      <Card title="Thesis">
        <Column gap={1.5} style={{ maxWidth: 720 }}>
          <Text>
            Markets draw shapes: trends, ranges, sudden falls. Shapecast approximates these shapes with adaptive models.
            They learn from candles, are trained again as the market changes, and are judged on candles that they have
            not seen.
          </Text>
          <Text tone="text2">
            A model that holds up is deployed in bots, first with virtual money. It gives a range for the next close and
            a signal with its confidence; the bot decides what that is worth after costs.
          </Text>
          <Banner kind="warning" title="A shape that everybody trades disappears">
            How can good models be shared safely, without being used up or misused? Join the discussion on{' '}
            <Link href={DISCUSSION} target="_blank" rel="noreferrer">
              X
            </Link>
            .
          </Banner>
          <Banner kind="info" title="Holders of the Shapecast token get 3 bots for free" />
        </Column>
      </Card>
      <ModelPanel />
    </div>
    {children}
    <Text size="small" tone="text3">
      Charts are drawn with{' '}
      <Link href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
        TradingView Lightweight Charts
      </Link>
      , © TradingView, Inc. For programs: the API of <Link href="/bot/docs">trading</Link> and of{' '}
      <Link href="/soc/docs">accounts and tasks</Link>.
    </Text>
  </div>
)

const State = ({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) => (
  <Chip label={isGood ? good : bad} tone={isGood ? 'filled' : 'down'} icon={isGood ? <Check /> : <X />} />
)

/** The state of the trading service in four chips. */
function SystemStatus() {
  const health = useHealth()
  const { data, isError } = health
  return (
    <Card title="System status" {...(isError && { actions: <RetryButton reply={health} /> })}>
      {data === undefined && !isError ? (
        <SkeletonGroup label="Loading the state of the system">
          <SkeletonBox width={320} height={22} />
        </SkeletonGroup>
      ) : (
        <Row gap={1} wrap align="stretch">
          <State isGood={data?.status === 'ok' && !isError} good="System ok" bad="System not ok" />
          {data !== undefined && !isError && (
            <>
              <Chip label={data.testnet ? 'Testnet' : 'Mainnet'} tone="outline" />
              <Socket name="WS public" isUp={data.websocket.public} />
              <Socket name="WS private" isUp={data.websocket.private} />
            </>
          )}
        </Row>
      )}
    </Card>
  )
}

/** A connection that is not there is no fault: the private one needs keys. */
const Socket = ({ name, isUp }: { name: string; isUp: boolean }) => (
  <Chip
    label={name}
    tone={isUp ? 'filled' : 'quiet'}
    icon={isUp ? <Check /> : <X />}
    title={isUp ? 'connected' : 'not connected'}
  />
)

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
function ModelPanel() {
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
