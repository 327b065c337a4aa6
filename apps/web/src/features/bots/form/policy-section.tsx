import { Box, Radio, RadioGroup, Typography } from '@mui/material'
import type { Theme } from '@mui/material/styles'
import { POLICIES, Policy } from '@shapecast/contracts/policies'
import { HOLD_FIGURES, policyFigures, RECOMMENDED_START } from '@shapecast/contracts/policy-figures'
import { formatFixed, formatSigned, UNKNOWN } from '#kit/format/number.ts'
import { formatChangePct } from '#kit/format/percent.ts'
import { colors } from '#kit/theme/tokens.ts'
import { FormSection, type SectionProps } from './form-section.tsx'

/** Why a policy cannot be chosen with what else stands in the form; null where it can. */
function obstacleTo(policy: Policy, { marketType, strategy }: SectionProps['form']): string | null {
  if (policy === 'signal') return null
  if (strategy === 'openai') return 'OpenAI trades its own signal.'
  return marketType === 'futures' && policy !== 'rule' ? 'Holds a share of the balance: spot only.' : null
}

/** A rule is written elsewhere; a bot that has one keeps it, and so does one that is made like it. */
const OFFERED = Policy.exclude(['rule']).options

/** How forecasts become trades: the model's signal, or a policy with its honest sentence. */
export function PolicySection({ form, change }: SectionProps) {
  const { rule } = form.kept
  return (
    <FormSection
      title="How it trades"
      head={
        <Box sx={headStyle} aria-hidden>
          <span>Worst drawdown</span>
          <span>Turnover a year</span>
          <span>Against buy and hold</span>
        </Box>
      }
    >
      <RadioGroup
        aria-label="How it trades"
        value={form.policy}
        onChange={(_, value) => change({ policy: value as Policy })}
        sx={{ display: 'grid', gap: 0.75 }}
      >
        {OFFERED.map((policy) => (
          <PolicyChoice
            key={policy}
            policy={policy}
            isChosen={form.policy === policy}
            figures={figureTexts(policy, form.riskLevel)}
            obstacle={obstacleTo(policy, form)}
          />
        ))}
        {rule !== undefined && (
          <PolicyChoice
            policy="rule"
            words={rule}
            isChosen={form.policy === 'rule'}
            figures={figureTexts('rule', form.riskLevel)}
            obstacle={obstacleTo('rule', form)}
          />
        )}
      </RadioGroup>
      <Typography variant="label" component="p" sx={{ color: colors.text3, fontWeight: 400 }}>
        BTC, January 2022 to April 2024, after costs and without a drawdown limit, at the risk chosen below; the last
        column in points of return. Buy and hold made {formatChangePct(100 * (HOLD_FIGURES.finalEquity - 1))} and fell
        by {formatFixed(-HOLD_FIGURES.maxDrawdownPct, 1)}% on the way. A policy that asks a model has no figure here (
        {UNKNOWN}): only a backtest of that model says it. One history, no evidence of skill: none of them has been
        shown to beat buy and hold.
      </Typography>
    </FormSection>
  )
}

type Figures = readonly { name: string; text: string }[]

/** Worst drawdown, turnover and return against holding, as far as they have been studied. */
function figureTexts(policy: Policy, riskLevel: SectionProps['form']['riskLevel']): Figures {
  const found = policyFigures(policy, riskLevel)
  const points = found === null ? null : 100 * (found.finalEquity - HOLD_FIGURES.finalEquity)
  return [
    { name: 'Worst drawdown', text: found === null ? UNKNOWN : `${formatFixed(found.maxDrawdownPct, 1)}%` },
    { name: 'Turnover a year', text: found === null ? UNKNOWN : `${formatFixed(found.turnoverPerYear, 1)}×` },
    { name: 'Against buy and hold', text: formatSigned(points, 1) },
  ]
}

function PolicyChoice({
  policy,
  words,
  isChosen,
  obstacle,
  figures,
}: {
  policy: Policy
  /** In the place of the policy's sentence. */
  words?: string
  isChosen: boolean
  obstacle: string | null
  figures: Figures
}) {
  const { name, sentence } = POLICIES[policy]
  return (
    <Box component="label" sx={choiceStyle(isChosen, obstacle !== null)}>
      <Radio
        value={policy}
        size="small"
        disabled={obstacle !== null}
        sx={{ p: 0, gridRow: { xs: 'span 2', sm: 'auto' } }}
      />
      <Typography component="span" sx={{ fontWeight: 500 }}>
        {name}
        {policy === RECOMMENDED_START.policy && (
          <Box component="span" sx={{ display: 'block', typography: 'label', color: colors.text3, fontWeight: 400 }}>
            recommended
          </Box>
        )}
      </Typography>
      <Typography component="span" variant="small" sx={{ color: obstacle === null ? colors.text2 : colors.text3 }}>
        {obstacle ?? words ?? sentence}
      </Typography>
      <Box component="span" sx={figuresStyle}>
        {figures.map(({ name, text }) => (
          <Box component="span" key={name} sx={{ typography: 'small', fontWeight: 500 }}>
            <Box component="span" sx={figureNameStyle}>
              {name}{' '}
            </Box>
            {text}
          </Box>
        ))}
      </Box>
    </Box>
  )
}

const FIGURES_PX = 240
/** Three figures in columns that all policies share; below md they stand in a line, each with its name. */
const columns = 'repeat(3, minmax(0, 1fr))'
const figuresStyle = {
  gridColumn: { xs: '2', md: 'auto' },
  display: { xs: 'flex', md: 'grid' },
  flexWrap: 'wrap',
  columnGap: 1.5,
  rowGap: 0.25,
  gridTemplateColumns: columns,
  textAlign: { md: 'right' },
} as const
const headStyle = {
  display: { xs: 'none', md: 'grid' },
  width: FIGURES_PX,
  mr: 1.625,
  columnGap: 1.5,
  gridTemplateColumns: columns,
  typography: 'label',
  fontWeight: 400,
  color: colors.text2,
  textAlign: 'right',
} as const
/** Said always, seen where there is no head above. */
const figureNameStyle = (theme: Theme) => ({
  color: theme.palette.text.secondary,
  fontWeight: 400,
  [theme.breakpoints.up('md')]: visuallyHidden,
})

const choiceStyle = (isChosen: boolean, isOff: boolean) => ({
  ...choiceCard(isChosen, isOff),
  display: 'grid',
  columnGap: 1.5,
  rowGap: 0.5,
  alignItems: 'start',
  gridTemplateColumns: {
    xs: '20px minmax(0, 1fr)',
    sm: '20px 160px minmax(0, 1fr)',
    md: `20px 150px minmax(0, 1fr) ${FIGURES_PX}px`,
  },
})

/** One of several choices as a box with a radio: the chosen one has the accent's edge, one that is off is dimmed. */
const choiceCard = (isChosen: boolean, isOff = false) => ({
  px: 1.5,
  py: 1.25,
  borderRadius: 1,
  border: `1px solid ${isChosen ? colors.accent : colors.buttonEdge}`,
  boxShadow: isChosen ? `inset 0 0 0 1px ${colors.accent}` : 'none',
  backgroundColor: isChosen ? colors.inset : 'transparent',
  cursor: isOff ? 'default' : 'pointer',
  opacity: isOff ? 0.7 : 1,
})

/** Read aloud, not drawn. */
const visuallyHidden = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const
