import { Box } from '@mui/material'
import { createBot } from '@shapecast/contracts/bot-changes'
import { bots } from '@shapecast/contracts/bots'
import { markets } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { useState } from 'react'
import { Dialog } from '#kit/ui/dialog.tsx'
import { DialogActions } from '#kit/ui/dialog-actions.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { errorDetail, errorInFull, errorText } from '#wire/calls/error-text.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useContractForm } from '#wire/form/use-contract-form.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { useCreateBot } from '../use-bot-actions.ts'
import { AccessSection } from './access-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { draftOf } from './bot-body.ts'
import {
  type BotForm,
  changeForm,
  type FormErrors,
  NEW_BOT,
  PLACES,
  takenName,
  tooSmall,
  valueIn,
  whyNotCreate,
  wrongFields,
} from './bot-form.ts'
import { ModelSection } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { RealLimitsSection } from './real-limits-section.tsx'
import { RecommendedStart } from './recommended-start.tsx'
import { RiskSection } from './risk-section.tsx'
import { SettingsPreview } from './settings-preview.tsx'
import { untrainedError } from './untrained-pairs.ts'
import { useChosenMarket } from './use-chosen-market.ts'
import { useFirstWrong } from './use-first-wrong.ts'

const WIDTH_PX = 960

/** Creates a stopped bot. What was typed stays after a failure, and over the end of a session. */
export function CreateBotDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const create = useCreateBot()
  const modelList = useEndpointQuery(models, {}).data
  const venue = useHealth().data?.venue
  const own = (useEndpointQuery(bots, {}).data ?? []).filter((bot) => bot.userId === user?.id)
  const marketList = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 }).data
  const untrained = (typed: BotForm) => untrainedError(typed, modelList?.models, venue)
  const form = useContractForm(createBot.body, {
    start: NEW_BOT,
    draft: useDraft<BotForm>('bot'),
    follow: changeForm,
    toBody: draftOf,
    check: (typed): FormErrors => ({
      ...takenName(typed, own),
      ...tooSmall(typed, marketList),
      ...untrained(typed),
    }),
    places: PLACES,
    valueIn,
    refusal: create.error,
  })
  const { values } = form
  const { pairs, base, price, smallestOrder } = useChosenMarket(values.tradingPairs)
  useKeepDraft('bot', form.isDirty ? values : null)
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  const sections = useFirstWrong(form.submitCount)
  // Pairs without a model are shown at once: nobody is typing there.
  const errors: FormErrors = { ...form.errors, ...untrained(values) }
  const wrong = wrongFields(errors)
  const whyNot = whyNotCreate(values)
  const isLost = errorDetail(create.error) !== undefined && own.some(({ name }) => name === values.name.trim())
  const [sent, setSent] = useState('')
  // A failure is told until something is changed.
  const isFailed = create.isError && sent === JSON.stringify(values)
  const submit = form.submit((body) => {
    setSent(JSON.stringify(values))
    create.mutate(
      { body },
      { onSuccess: onClose, onError: (error) => window.alert(errorText(error, 'Failed to create bot')) },
    )
  })
  const section = { form: values, change: form.change, errors }
  return (
    <Dialog
      title="Create Trading Bot"
      widthPx={WIDTH_PX}
      onClose={leave}
      flush
      actions={
        <DialogActions
          label={create.isPending ? 'Creating…' : 'Create'}
          note={
            whyNot ??
            (isFailed && isLost
              ? 'You have a bot of that name now: it was created, only the answer was lost.'
              : (wrong ??
                (isFailed
                  ? errorInFull(create.error, 'Failed to create bot')
                  : 'Created stopped. You start it from its card.')))
          }
          isWrong={wrong !== undefined || isFailed}
          whyNot={whyNot}
          isBusy={create.isPending}
          onCancel={leave}
          onConfirm={() => void submit()}
        />
      }
    >
      <RecommendedStart form={values} change={form.change} pairs={pairs} />
      <Box ref={sections} onBlur={form.onBlur} sx={{ display: 'contents' }}>
        <BasicsSection {...section} pairs={pairs} />
        <ModelSection {...section} models={modelList} />
        <PolicySection {...section} />
        <RiskSection {...section} base={base} price={price} smallestOrder={smallestOrder} />
        <SettingsPreview form={values} errors={form.wrong} />
        <AccessSection {...section} isAdmin={user?.role === 'admin'} />
        {!values.isVirtual && <RealLimitsSection {...section} />}
      </Box>
      {question}
    </Dialog>
  )
}
