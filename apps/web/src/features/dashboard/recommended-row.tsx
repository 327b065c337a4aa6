import { POLICIES } from '@shapecast/contracts/policies'
import { RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { RecommendedWords } from '#entities/bots/recommended-words.tsx'
import { formatCount } from '#kit/format/number.ts'
import { LinkButton } from '#kit/ui/button.tsx'
import layout from '#kit/ui/layout.module.css'
import { Row } from '#kit/ui/layout.tsx'
import { Text } from '#kit/ui/text.tsx'
import { paths } from '#routes/paths.ts'

const { policy, initialBalance, maxDrawdown } = RECOMMENDED_START

/** For somebody without a bot: one that is recommended to begin with, filled in with one press. */
export const RecommendedRow = () => (
  <Row gap={2} wrap between className={layout.listRow}>
    <div style={{ flex: '1 1 320px', minWidth: 0 }}>
      <Text>
        Recommended to begin with: <strong>{POLICIES[policy].name} on BTC and ETH, needs no model</strong>, medium risk,{' '}
        {formatCount(initialBalance)} virtual USDT, limit {maxDrawdown}%
      </Text>
      <RecommendedWords />
    </div>
    <LinkButton to={paths.recommendedBot} variant="secondary" size="small">
      Use these
    </LinkButton>
  </Row>
)
