import { patchBot } from '@shapecast/contracts/bot-changes'
import { type Bot, bots } from '@shapecast/contracts/bots'
import { Banner } from '#kit/ui/banner.tsx'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import { NumberField } from '#kit/ui/number-field.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { errorText } from '#wire/calls/error-text.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useBotActions } from '../use-bot.ts'
import { NameFields, TimeframeField } from './basics-section.tsx'
import { formOf, patchOf, paysCosts } from './bot-body.ts'
import {
  changeForm,
  type FormErrors,
  formAsksModels,
  PLACES,
  takenName,
  valueIn,
  wrongChange,
  wrongFields,
} from './bot-form.ts'
import { BotFields, FieldRow, FormSection, useBotForm } from './form-section.tsx'
import { FollowModel, OpenaiCalls } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { CostSection, RealLimitsSection, RiskSection } from './risk-section.tsx'

const WIDTH_PX = 960

/** Changes a bot: its name at any time, what its money depends on while it is stopped. What was typed stays after a failure. */
export function EditBotDialog({ bot, onClose }: { bot: Bot; onClose: () => void }) {
  const { change: save } = useBotActions()
  const botList = useEndpointQuery(bots, {}).data ?? []
  const others = botList.filter(({ id, userId }) => userId === bot.userId && id !== bot.id)
  const before = formOf(bot)
  const contractForm = useContractForm(patchBot.body, {
    start: before,
    follow: changeForm,
    toBody: (typed) => patchOf(bot, typed) ?? {},
    check: (typed): FormErrors => ({
      ...(typed.name !== before.name && takenName(typed, others)),
      ...wrongChange(before, typed),
    }),
    places: PLACES,
    valueIn,
    refusal: save.error,
  })
  const { values: form, errors, isDirty, failure } = contractForm
  const { leave, question } = useUnsaved(isDirty, onClose)
  const isStopped = bot.status === 'stopped'
  const disabledReason = patchOf(bot, form) === null ? 'Nothing is changed yet' : null
  const submit = contractForm.submit((body) => save.mutate({ params: { id: bot.id }, body }, { onSuccess: onClose }))
  return (
    <Dialog
      title={`Edit ${bot.name}`}
      widthPx={WIDTH_PX}
      onClose={leave}
      flush
      actions={
        <DialogActions
          label={save.isPending ? 'Saving…' : 'Save'}
          note={disabledReason ?? wrongFields(errors) ?? (isStopped ? 'Counts from the next start.' : '')}
          isWrong={disabledReason === null && wrongFields(errors) !== undefined}
          disabledReason={disabledReason}
          isBusy={save.isPending}
          onCancel={leave}
          onConfirm={() => void submit()}
        />
      }
    >
      {failure !== null && (
        <FormSection title="Not saved">
          <Banner kind="error" title={errorText(failure, 'The server does not answer. Try again.')} />
        </FormSection>
      )}
      <BotFields form={contractForm}>
        <FormSection title="Basics">
          <FieldRow columns="1fr 2fr">
            <NameFields />
          </FieldRow>
          {isStopped ? (
            <TradingFields />
          ) : (
            <Banner kind="info" title="Stop it to change how it trades">
              Size, risk and limits decide what its money does: they stay as they are while it is not stopped.
            </Banner>
          )}
        </FormSection>
        {isStopped && (
          <>
            {formAsksModels(form) && (
              <FormSection title="Model">
                <FollowModel />
              </FormSection>
            )}
            <PolicySection />
            <RiskSection />
            {paysCosts(form) && <CostSection />}
            {!bot.isVirtual && <RealLimitsSection />}
          </>
        )}
      </BotFields>
      {question}
    </Dialog>
  )
}

/** Candles, leverage and calls a day. */
function TradingFields() {
  const { form, field } = useBotForm()
  return (
    <>
      <FieldRow columns="110px 110px">
        <TimeframeField />
        {form.marketType === 'futures' && <NumberField {...field('leverage')} min={1} max={100} step={1} unit="×" />}
      </FieldRow>
      {form.strategy === 'openai' && <OpenaiCalls />}
    </>
  )
}
