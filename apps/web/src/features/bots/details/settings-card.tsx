import { type Bot, originWords, STRATEGY_LABEL } from '@shapecast/contracts/bots'
import { COST_DEFAULTS } from '@shapecast/contracts/costs'
import { POLICIES } from '@shapecast/contracts/policies'
import { Copy, Download, Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router'
import { asksModels, MARKET_TYPE_LABEL, modelWords, policyOf, RISK_LABEL, sizeWords } from '#entities/bots/bot-words.ts'
import { costWords } from '#entities/bots/costs.ts'
import { useMarketFinder } from '#entities/markets/use-market-of.ts'
import { formatMoneyUnit } from '#kit/format/money.ts'
import { formatLimitPct } from '#kit/format/percent.ts'
import { formatDate } from '#kit/format/time.ts'
import { Button, LinkButton } from '#kit/ui/button.tsx'
import { Card } from '#kit/ui/card.tsx'
import { type Fact, Facts } from '#kit/ui/facts.tsx'
import { onDemand } from '#kit/ui/on-demand.tsx'
import { Columns, Link, Note, Row, Text } from '#kit/ui/primitives.tsx'
import { paths } from '#routes/paths.ts'
import { saveBot } from '../form/bot-file.ts'
import { useIsMine } from '../use-bot.ts'
import css from './bot-details.module.css'

const EditBotDialog = onDemand(async () => (await import('../form/edit-bot-dialog.tsx')).EditBotDialog)

const orOff = (pct: number): string => (pct > 0 ? formatLimitPct(pct) : 'Off')

/** All that it was told to do, and the ways to another bot like it. */
export function SettingsCard({ bot }: { bot: Bot }) {
  const isMine = useIsMine(bot)
  const [isEdited, setIsEdited] = useState(false)
  const { parameters } = bot
  const rule = parameters?.rule
  const origin = policyOf(bot) === 'rule' ? parameters?.ruleOrigin : undefined
  const groups: readonly { name: string; facts: readonly (Fact | false)[] }[] = [
    {
      name: 'What it does',
      facts: [
        { label: 'Strategy', value: `${STRATEGY_LABEL[bot.strategy]} · ${POLICIES[policyOf(bot)].name}` },
        origin !== undefined && {
          label: 'Rule',
          value: (
            <Link as={RouterLink} to={paths.storedRule(origin.id)}>
              {originWords(origin)}
            </Link>
          ),
        },
        asksModels(bot) && { label: 'Model', value: modelValue(bot) },
        { label: 'Pairs', value: bot.tradingPairs.join(', ') },
        { label: 'Timeframe', value: parameters?.timeframe ?? '1h' },
        {
          label: 'Market',
          value: `${MARKET_TYPE_LABEL[bot.marketType]}${bot.marketType === 'futures' ? ` ${bot.leverage}×` : ''}`,
        },
      ],
    },
    {
      name: 'Size and limits',
      facts: [
        { label: 'Position size', value: sizeWords(bot, useMarketFinder()) },
        parameters?.mostTraded !== undefined && {
          label: 'Holds',
          value: `the ${parameters.mostTraded} most traded of ${bot.tradingPairs.length} pairs`,
        },
        { label: 'Risk level', value: RISK_LABEL[bot.riskLevel] },
        { label: 'Max drawdown', value: formatLimitPct(bot.maxDrawdown) },
        { label: 'Take profit', value: orOff(bot.takeProfitPct) },
        { label: 'Stop loss', value: orOff(bot.stopLossPct) },
      ],
    },
    {
      name: 'Account',
      facts: [
        { label: 'Started with', value: formatMoneyUnit(bot.initialBalance, 'USDT') },
        { label: 'Created', value: formatDate(bot.createdAt) },
        { label: 'Visibility', value: bot.visibility === 'public' ? 'Public' : 'Private' },
        { label: 'Mode', value: bot.isVirtual ? 'Virtual' : 'Real money' },
        // With real money the exchange charges its own.
        (bot.isVirtual || parameters?.costs !== undefined) && {
          label: bot.isVirtual ? 'Fee and slippage' : 'Expected fee and slippage',
          value: costWords(parameters?.costs ?? COST_DEFAULTS),
        },
      ],
    },
  ]
  return (
    <Card title="Settings" flush>
      <Columns gap={0} at={{ md: 3 }} className={css.settings}>
        {groups.map(({ name, facts }) => (
          <section key={name} aria-label={name}>
            <Text size="label" as="h3" tone="text2">
              {name}
            </Text>
            <Facts facts={facts} />
          </section>
        ))}
      </Columns>
      {rule !== undefined && <pre className={css.rule}>{rule}</pre>}
      <Row wrap gap={1} className={css.settingsFoot}>
        <Note tone="text2">
          {isMine ? 'What its money depends on is changed while it is stopped.' : 'Its owner alone changes it.'}
        </Note>
        <Button size="small" startIcon={<Download size={14} />} onClick={() => saveBot(bot)}>
          Save as file
        </Button>
        <LinkButton size="small" startIcon={<Copy size={14} />} to={paths.copyBot(bot.id)}>
          Duplicate
        </LinkButton>
        {isMine && (
          <Button size="small" startIcon={<Pencil size={14} />} onClick={() => setIsEdited(true)}>
            Edit
          </Button>
        )}
      </Row>
      {isEdited && <EditBotDialog bot={bot} onClose={() => setIsEdited(false)} />}
    </Card>
  )
}

/** `v3, kept until you change it`. */
const modelValue = (bot: Bot): string =>
  `${modelWords(bot)}, ${bot.parameters?.followModel === true ? 'newer trainings taken by itself' : 'kept until you change it'}`
