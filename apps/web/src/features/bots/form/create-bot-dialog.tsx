import { Box } from '@mui/material'
import { bots } from '@shapecast/contracts/bots'
import { models } from '@shapecast/contracts/ml'
import { useReducer, useState } from 'react'
import { errorDetail, errorInFull, errorText } from '../../../shared/api/error-text.ts'
import { useEndpointQuery } from '../../../shared/api/use-endpoint.ts'
import { useUser } from '../../../shared/auth/auth-context.ts'
import { useDraft, useKeepDraft } from '../../../shared/auth/kept-draft.ts'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { DialogActions } from '../../../shared/ui/dialog-actions.tsx'
import { useCreateBot } from '../use-bot-actions.ts'
import { AccessSection } from './access-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { type BotForm, changeForm, draftOf, type FormErrors, formErrors, NEW_BOT, whyNotCreate } from './bot-form.ts'
import { ModelSection } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { RealLimitsSection } from './real-limits-section.tsx'
import { RiskSection } from './risk-section.tsx'
import { useChosenMarket } from './use-chosen-market.ts'
import { useFirstWrong } from './use-first-wrong.ts'

const NONE: FormErrors = {}
const WIDTH_PX = 960

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
  const sections = useFirstWrong(tries)
  const create = useCreateBot()
  const modelList = useEndpointQuery(models, {})
  const botList = useEndpointQuery(bots, {})
  const market = useChosenMarket(form.tradingPairs)
  const whyNot = whyNotCreate(form)
  const errors = tries > 0 ? formErrors(form) : NONE
  const firstError = Object.values(errors)[0]
  const isUnanswered = create.isError && errorDetail(create.error) !== undefined
  const isThere = botList.data?.some((bot) => bot.name === form.name.trim() && bot.userId === user?.id)
  const submit = () => {
    setTries(tries + 1)
    if (Object.keys(formErrors(form)).length > 0) return
    create.mutate(
      { body: draftOf(form) },
      { onSuccess: onClose, onError: (error) => window.alert(errorText(error, 'Failed to create bot')) },
    )
  }
  const section = { form, change, errors }
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
            firstError ??
            (isUnanswered && isThere
              ? 'You have a bot of that name: only the answer may have been lost. Create makes another one.'
              : create.isError
                ? errorInFull(create.error, 'Failed to create bot')
                : 'Created stopped. You start it from its card.')
          }
          isWrong={firstError !== undefined || create.isError}
          whyNot={whyNot}
          isBusy={create.isPending}
          onCancel={onClose}
          onConfirm={submit}
        />
      }
    >
      <Box ref={sections} sx={{ display: 'contents' }}>
        <BasicsSection {...section} pairs={market.pairs} />
        <ModelSection {...section} models={modelList.data} />
        <PolicySection {...section} />
        <RiskSection {...section} base={market.base} price={market.price} smallestOrder={market.smallestOrder} />
        <AccessSection {...section} isAdmin={user?.role === 'admin'} />
        {!form.isVirtual && <RealLimitsSection {...section} />}
      </Box>
    </Dialog>
  )
}
