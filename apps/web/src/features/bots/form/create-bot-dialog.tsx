import { createBot } from '@shapecast/contracts/bot-changes'
import { type Bot, bots } from '@shapecast/contracts/bots'
import { markets } from '@shapecast/contracts/market'
import { models } from '@shapecast/contracts/ml'
import { FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Basket } from '#entities/bots/basket.ts'
import { wrongCosts } from '#entities/bots/costs.ts'
import type { RuleDraft } from '#entities/bots/rule-draft.ts'
import { Button } from '#kit/ui/button.tsx'
import { Dialog, DialogActions } from '#kit/ui/dialog.tsx'
import layout from '#kit/ui/layout.module.css'
import { Note, Row } from '#kit/ui/primitives.tsx'
import { useUnsaved } from '#kit/ui/use-unsaved.tsx'
import { errorDetail, errorInFull, errorText } from '#wire/calls/error-text.ts'
import { useContractForm } from '#wire/calls/use-contract-form.ts'
import { useEndpointQuery } from '#wire/calls/use-endpoint.ts'
import { useHealth } from '#wire/calls/use-health.ts'
import { useRequestKey } from '#wire/calls/use-request-key.ts'
import { useUser } from '#wire/session/auth-context.ts'
import { useDraft, useKeepDraft } from '#wire/session/kept-draft.ts'
import { useCreateBot } from '../use-bot.ts'
import { AccessSection } from './access-section.tsx'
import { BasicsSection } from './basics-section.tsx'
import { draftOf, paysCosts } from './bot-body.ts'
import { copyOf, formOfRule, MOST_BYTES, readBotFile } from './bot-file.ts'
import {
  absent,
  type BotForm,
  changeForm,
  createDisabledReason,
  type FormErrors,
  NEW_BOT,
  PLACES,
  takenName,
  tooSmall,
  untrainedError,
  valueIn,
  wrongFields,
} from './bot-form.ts'
import { BotFields, useChosenMarket } from './form-section.tsx'
import { ModelSection } from './model-section.tsx'
import { PolicySection } from './policy-section.tsx'
import { RecommendedStart, useRecommended } from './recommended-start.tsx'
import { CostSection, RealLimitsSection, RiskSection } from './risk-section.tsx'
import { SettingsPreview } from './settings-preview.tsx'

const WIDTH_PX = 960

/**
 * Creates a stopped bot, filled like `like`, for a rule or from a file where one is given. What was typed stays after a failure, and over
 * the end of a session.
 */
export function CreateBotDialog({
  like,
  isRecommended = false,
  rule,
  basket,
  onClose,
}: {
  like: Bot | undefined
  /** Begins with what is recommended. */
  isRecommended?: boolean
  /** Written in the rule editor. */
  rule: RuleDraft | undefined
  /** Its pairs and timeframe, of a batch. */
  basket: Basket | undefined
  onClose: () => void
}) {
  const user = useUser()
  const create = useCreateBot()
  const modelList = useEndpointQuery(models, {}).data
  const venue = useHealth().data?.venue
  const own = (useEndpointQuery(bots, {}).data ?? []).filter((bot) => bot.userId === user?.id)
  const marketList = useEndpointQuery(markets, {}, { staleTime: 5 * 60_000 }).data
  const untrained = (typed: BotForm) => ({
    ...untrainedError(typed, modelList?.models, venue),
    ...absent(typed, modelList?.models, marketList),
  })
  const [start] = useState(() => ({
    ...(rule !== undefined
      ? formOfRule(rule)
      : like === undefined
        ? NEW_BOT
        : copyOf(
            like,
            own.map(({ name }) => name),
          )),
    ...basket,
  }))
  const [isFromFile, setIsFromFile] = useState(false)
  const form = useContractForm(createBot.body, {
    start,
    draft: useDraft<BotForm>('bot'),
    follow: changeForm,
    toBody: draftOf,
    check: (typed): FormErrors => ({
      ...takenName(typed, own),
      ...tooSmall(typed, marketList),
      ...untrained(typed),
      ...wrongCosts(typed),
    }),
    places: PLACES,
    valueIn,
    refusal: create.error,
  })
  const { values } = form
  const key = useRequestKey(JSON.stringify(values))
  const { pairs } = useChosenMarket(values.tradingPairs)
  useKeepDraft('bot', form.isDirty ? values : null)
  const { leave, question } = useUnsaved(form.isDirty, onClose)
  // Shown at once, since nobody typed it: pairs without a model, and what came from elsewhere.
  const isFilled = isFromFile || like !== undefined || rule !== undefined
  const errors: FormErrors = { ...(isFilled ? form.wrong : form.errors), ...untrained(values) }
  const wrong = wrongFields(errors)
  const disabledReason = createDisabledReason(values)
  const isLost = errorDetail(create.error) !== undefined && own.some(({ name }) => name === values.name.trim())
  const [sent, setSent] = useState('')
  // A failure is told until something is changed.
  const isFailed = create.isError && sent === JSON.stringify(values)
  const submit = form.submit((body) => {
    setSent(JSON.stringify(values))
    create.mutate(
      { body, idempotencyKey: key },
      { onSuccess: onClose, onError: (error) => window.alert(errorText(error, 'Failed to create bot')) },
    )
  })
  const recommended = useRecommended(values, form.change, pairs, isRecommended)
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
            disabledReason ??
            (isFailed && isLost
              ? 'You have a bot of that name now: it was created, only the answer was lost.'
              : (wrong ??
                (isFailed
                  ? errorInFull(create.error, 'Failed to create bot')
                  : 'Created stopped. You start it from its card.')))
          }
          isWrong={disabledReason === null && (wrong !== undefined || isFailed)}
          disabledReason={disabledReason}
          isBusy={create.isPending}
          onCancel={leave}
          onConfirm={() => void submit()}
        />
      }
    >
      <RecommendedStart recommended={recommended} isVirtual={values.isVirtual} />
      <FromFile
        onForm={(read) => {
          setIsFromFile(true)
          form.change(read)
        }}
      />
      <BotFields form={form} errors={errors}>
        <BasicsSection pairs={pairs} />
        <ModelSection models={modelList} />
        <PolicySection />
        <RiskSection />
        {paysCosts(values) && <CostSection />}
        <SettingsPreview
          onRecommended={recommended.start === null || recommended.isTaken ? undefined : recommended.take}
        />
        <AccessSection isAdmin={user?.role === 'admin'} />
        {!values.isVirtual && <RealLimitsSection />}
      </BotFields>
      {question}
    </Dialog>
  )
}

/** Fills the form from the settings of a bot that were saved. */
function FromFile({ onForm }: { onForm: (form: BotForm) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [said, setSaid] = useState<{ words: string; isWrong: boolean } | null>(null)
  const take = async (file: File) => {
    const read =
      file.size > MOST_BYTES
        ? { refusal: 'It is too large for the settings of a bot.' }
        : readBotFile(await file.text())
    if ('form' in read) onForm(read.form)
    setSaid(
      'form' in read
        ? { words: `Filled from ${file.name}.`, isWrong: false }
        : { words: `${file.name}: ${read.refusal}`, isWrong: true },
    )
  }
  return (
    <Row gap={1.5} wrap style={{ padding: '10px 20px' }}>
      <Button size="small" startIcon={<FileUp size={14} />} onClick={() => input.current?.click()}>
        Fill from a file
      </Button>
      <Note breaks tone={said?.isWrong ? 'down' : 'text2'} role={said?.isWrong ? 'alert' : 'status'}>
        {said?.words ?? 'The settings of a bot that were saved as a file.'}
      </Note>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File with the settings of a bot"
        tabIndex={-1}
        className={layout.visuallyHidden}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file chosen again counts as a choice.
          if (file !== undefined) void take(file).finally(() => (target.value = ''))
        }}
      />
    </Row>
  )
}
