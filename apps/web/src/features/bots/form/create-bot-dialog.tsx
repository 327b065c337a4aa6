import { Box } from '@mui/material'
import { bots } from '@shapecast/contracts/bots'
import { ApiError } from '@shapecast/contracts/client'
import { models } from '@shapecast/contracts/ml'
import { useReducer, useState } from 'react'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { errorDetail, errorInFull, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { useCreateBot } from '../use-bot-actions.ts'
import { AccessSection } from './access-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import {
  type BotForm,
  changeForm,
  draftOf,
  FIELD_LABEL,
  type FormErrors,
  type FormField,
  NEW_BOT,
  whyNotCreate,
  wrongFields,
} from './bot-form.ts'
import { ModelSection } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { RealLimitsSection } from './real-limits-section.tsx'
import { RecommendedStart } from './recommended-start.tsx'
import { RiskSection } from './risk-section.tsx'
import { SettingsPreview } from './settings-preview.tsx'
import { untrainedPairs } from './untrained-pairs.ts'
import { useChosenMarket } from './use-chosen-market.ts'
import { useFirstWrong } from './use-first-wrong.ts'
import { useFormErrors } from './use-form-errors.ts'

const WIDTH_PX = 960

/** What the server refused, at its field, as long as the form stands as it was sent. */
function refusedField(error: unknown, sent: BotForm | null, form: BotForm): FormErrors {
  if (!(error instanceof ApiError) || error.field === undefined || sent !== form) return {}
  const field = error.field === 'positionSize' ? 'size' : error.field
  return field in FIELD_LABEL ? { [field as FormField]: error.message } : {}
}

/** Creates a stopped bot. What was typed stays after a failure, and over the end of a session. */
export function CreateBotDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const draft = useDraft<BotForm>('bot')
  const [form, change] = useReducer(
    changeForm,
    draft,
    (kept): BotForm => (kept === null ? NEW_BOT : { ...NEW_BOT, ...kept }),
  )
  useKeepDraft('bot', form === NEW_BOT ? null : form)
  const [tries, setTries] = useState(0)
  const [sent, setSent] = useState<BotForm | null>(null)
  const sections = useFirstWrong(tries)
  const create = useCreateBot()
  const modelList = useEndpointQuery(models, {})
  const botList = useEndpointQuery(bots, {})
  const market = useChosenMarket(form.tradingPairs)
  const whyNot = whyNotCreate(form)
  const untrained = untrainedPairs(form, modelList.data?.models, useHealth().data?.venue)
  const takenNames = (botList.data ?? []).filter((bot) => bot.userId === user?.id).map((bot) => bot.name)
  const { errors, shown, onBlur } = useFormErrors(form, NEW_BOT, {
    facts: { takenNames, smallestOrder: market.smallestOrder, untrained },
    tries,
    isUntrained: untrained.length > 0,
    refused: refusedField(create.error, sent, form),
  })
  const wrong = wrongFields(shown)
  // A failure is told until something is changed.
  const isFailed = create.isError && sent === form
  const isUnanswered = isFailed && errorDetail(create.error) !== undefined
  const isThere = takenNames.includes(form.name.trim())
  const submit = () => {
    setTries(tries + 1)
    if (Object.keys(errors).length > 0) return
    setSent(form)
    create.mutate(
      { body: draftOf(form) },
      { onSuccess: onClose, onError: (error) => window.alert(errorText(error, 'Failed to create bot')) },
    )
  }
  const section = { form, change, errors: shown }
  return (
    <Dialog
      title="Create Trading Bot"
      widthPx={WIDTH_PX}
      onClose={onClose}
      flush
      actions={
        <DialogActions
          label={create.isPending ? 'Creating…' : 'Create'}
          note={
            whyNot ??
            (isUnanswered && isThere
              ? 'You have a bot of that name now: it was created, only the answer was lost.'
              : (wrong ??
                (isFailed
                  ? errorInFull(create.error, 'Failed to create bot')
                  : 'Created stopped. You start it from its card.')))
          }
          isWrong={wrong !== undefined || isFailed}
          whyNot={whyNot}
          isBusy={create.isPending}
          onCancel={onClose}
          onConfirm={submit}
        />
      }
    >
      <RecommendedStart form={form} change={change} pairs={market.pairs} />
      <Box ref={sections} onBlur={onBlur} sx={{ display: 'contents' }}>
        <BasicsSection {...section} pairs={market.pairs} />
        <ModelSection {...section} models={modelList.data} />
        <PolicySection {...section} />
        <RiskSection {...section} base={market.base} price={market.price} smallestOrder={market.smallestOrder} />
        <SettingsPreview form={form} errors={errors} />
        <AccessSection {...section} isAdmin={user?.role === 'admin'} />
        {!form.isVirtual && <RealLimitsSection {...section} />}
      </Box>
    </Dialog>
  )
}
