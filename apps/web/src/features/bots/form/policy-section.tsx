import { POLICIES, Policy } from '@shapecast/contracts/policies'
import { HOLD_FIGURES, policyFigures, RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { formatFixed, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { Choices, choiceClass, Radio } from '#kit/ui/choice.tsx'
import { Note, Text } from '#kit/ui/primitives.tsx'
import css from './bot-form.module.css'
import type { BotForm } from './bot-form.ts'
import { FormSection, useBotForm } from './form-section.tsx'

/** Why a policy cannot be chosen with what else stands in the form; null where it can. */
function obstacleTo(policy: Policy, { marketType, strategy }: BotForm): string | null {
  if (policy === 'signal') return null
  if (strategy === 'openai') return 'OpenAI trades its own signal.'
  return marketType === 'futures' && policy !== 'rule' ? 'Holds a share of the balance: spot only.' : null
}

/** A rule is written elsewhere; a bot that has one keeps it, and so does one that is made like it. */
const OFFERED = Policy.exclude(['rule']).options

/** How forecasts become trades: the model's signal, or a policy with its honest sentence. */
export function PolicySection() {
  const { form, change } = useBotForm()
  const { rule } = form.kept
  return (
    <FormSection
      title="How it trades"
      head={
        <Note tone="text2" className={css.names} aria-hidden>
          <span>Worst drawdown</span>
          <span>Turnover a year</span>
          <span>Against buy and hold</span>
        </Note>
      }
    >
      <Choices label="How it trades" value={form.policy} onChange={(policy) => change({ policy })} gap={0.75}>
        {(rule === undefined ? OFFERED : [...OFFERED, 'rule' as const]).map((policy) => (
          <PolicyChoice key={policy} policy={policy} />
        ))}
      </Choices>
      <Note as="p">
        BTC, January 2022 to April 2024, after costs and without a drawdown limit, at the risk chosen below; the last
        column in points of return. Buy and hold made {formatChangePct(100 * (HOLD_FIGURES.finalEquity - 1))} and fell
        by {formatFixed(-HOLD_FIGURES.maxDrawdownPct, 1)}% on the way. A policy that asks a model has no figure here (
        {UNKNOWN}): only a backtest of that model says it. One history, no evidence of skill: none of them has been
        shown to beat buy and hold.
      </Note>
    </FormSection>
  )
}

/** Worst drawdown, turnover and return against holding, as far as they have been studied. */
function figureTexts(policy: Policy, riskLevel: BotForm['riskLevel']) {
  const found = policyFigures(policy, riskLevel)
  const points = found === null ? null : 100 * (found.finalEquity - HOLD_FIGURES.finalEquity)
  return [
    { name: 'Worst drawdown', text: found === null ? UNKNOWN : `${formatFixed(found.maxDrawdownPct, 1)}%` },
    { name: 'Turnover a year', text: found === null ? UNKNOWN : `${formatFixed(found.turnoverPerYear, 1)}×` },
    { name: 'Against buy and hold', text: formatSigned(points, 1) },
  ]
}

function PolicyChoice({ policy }: { policy: Policy }) {
  const { form } = useBotForm()
  const { name, sentence } = POLICIES[policy]
  const obstacle = obstacleTo(policy, form)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the Radio in it is its control
    <label className={`${choiceClass(form.policy === policy)} ${css.policy} ${obstacle === null ? '' : css.off}`}>
      <Radio value={policy} disabled={obstacle !== null} />
      <Text as="span" weight={500}>
        {name}
        {policy === RECOMMENDED_START.policy && (
          <Note as="span" style={{ display: 'block' }}>
            recommended
          </Note>
        )}
      </Text>
      <Text as="span" size="small" tone={obstacle === null ? 'text2' : 'text3'}>
        {obstacle ?? (policy === 'rule' ? form.kept.rule : sentence)}
      </Text>
      <span className={css.figures}>
        {figureTexts(policy, form.riskLevel).map(({ name, text }) => (
          <Text as="span" key={name} size="small" weight={500}>
            <Text as="span" size="small" tone="text2" className={css.figureName}>
              {name}{' '}
            </Text>
            {text}
          </Text>
        ))}
      </span>
    </label>
  )
}
