import { Typography } from '@mui/material'
import { colors } from '../../../shared/theme/tokens.ts'
import { ToggleGroup } from '../../../shared/ui/toggle-group.tsx'
import type { SectionProps } from './bot-form-sections.ts'
import { FieldRow, FormSection, LabelledToggle } from './form-section.tsx'

const VISIBILITY_HINT = {
  private: 'Visible only to you and administrators',
  public: 'Visible to all users (read-only for others)',
} as const

/** Who sees it, and with whose money it trades. */
export function AccessSection({ form, change, isAdmin }: SectionProps & { isAdmin: boolean }) {
  return (
    <FormSection title="Access">
      <FieldRow columns="repeat(2, minmax(0, 1fr))">
        <LabelledToggle label="Visibility" help={VISIBILITY_HINT[form.visibility]}>
          <ToggleGroup
            label="Visibility"
            fullWidth
            value={form.visibility}
            onChange={(visibility) => change({ visibility })}
            choices={[
              { value: 'private', label: 'Private' },
              { value: 'public', label: 'Public' },
            ]}
          />
        </LabelledToggle>
        {isAdmin ? (
          <LabelledToggle
            label="Mode"
            note="admin only"
            help={form.isVirtual ? 'No real order is ever sent.' : 'Real money asks once more before the first start.'}
          >
            <ToggleGroup
              label="Mode"
              fullWidth
              value={form.isVirtual ? 'virtual' : 'real'}
              onChange={(mode) => change({ isVirtual: mode === 'virtual' })}
              choices={[
                { value: 'virtual', label: 'Virtual' },
                { value: 'real', label: 'Real money' },
              ]}
            />
          </LabelledToggle>
        ) : (
          <Typography variant="small" sx={{ color: colors.text2, pt: { sm: 3 } }}>
            Virtual mode only - test strategies safely without real money
          </Typography>
        )}
      </FieldRow>
    </FormSection>
  )
}
