import { Box, Radio, RadioGroup, Typography } from '@mui/material'
import { POLICIES, Policy } from '@shapecast/contracts/policies'
import { colors } from '../../../shared/theme/tokens.ts'
import type { SectionProps } from './bot-form-sections.ts'
import { FormSection } from './form-section.tsx'

/** Why a policy cannot be chosen with what else stands in the form; null where it can. */
function obstacleTo(policy: Policy, { marketType, strategy }: SectionProps['form']): string | null {
  if (policy === 'signal') return null
  if (strategy === 'openai') return 'OpenAI trades its own signal.'
  return marketType === 'futures' ? 'Holds a share of the balance: spot only.' : null
}

/** How forecasts become trades: the model's signal, or a policy with its honest sentence. */
export function PolicySection({ form, change }: SectionProps) {
  return (
    <FormSection title="How it trades">
      <RadioGroup
        aria-label="How it trades"
        value={form.policy}
        onChange={(_, value) => change({ policy: value as Policy })}
        sx={{ display: 'grid', gap: 0.75 }}
      >
        {Policy.options.map((policy) => (
          <PolicyChoice
            key={policy}
            policy={policy}
            isChosen={form.policy === policy}
            obstacle={obstacleTo(policy, form)}
          />
        ))}
      </RadioGroup>
      <Typography variant="label" component="p" sx={{ color: colors.text3, fontWeight: 400 }}>
        None of the five has been shown to beat buy and hold. What each did in past years, losses included, stands in
        the documentation under Bots.
      </Typography>
    </FormSection>
  )
}

function PolicyChoice({ policy, isChosen, obstacle }: { policy: Policy; isChosen: boolean; obstacle: string | null }) {
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
        {policy === 'model_brake' && (
          <Box component="span" sx={{ display: 'block', typography: 'label', color: colors.text3, fontWeight: 400 }}>
            default
          </Box>
        )}
      </Typography>
      <Typography component="span" variant="small" sx={{ color: obstacle === null ? colors.text2 : colors.text3 }}>
        {obstacle ?? sentence}
      </Typography>
    </Box>
  )
}

const choiceStyle = (isChosen: boolean, isOff: boolean) => ({
  display: 'grid',
  columnGap: 1.5,
  rowGap: 0.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: '20px minmax(0, 1fr)', sm: '20px 160px minmax(0, 1fr)' },
  px: 1.5,
  py: 1.25,
  borderRadius: 1,
  border: `1px solid ${isChosen ? colors.accent : colors.buttonEdge}`,
  boxShadow: isChosen ? `inset 0 0 0 1px ${colors.accent}` : 'none',
  backgroundColor: isChosen ? colors.inset : 'transparent',
  cursor: isOff ? 'default' : 'pointer',
  opacity: isOff ? 0.7 : 1,
})
